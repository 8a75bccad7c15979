/// First in, first out, over one array: the head moves, and the dead front is cut off now and then.
struct Queue<Element> {
    private var elements: [Element?] = []
    private var head = 0

    var count: Int { elements.count - head }
    var isEmpty: Bool { count == 0 }

    /// The element `offset` places behind the head.
    subscript(offset: Int) -> Element? {
        get { elements[head + offset] }
        set { elements[head + offset] = newValue }
    }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        let element = elements[head]
        elements[head] = nil
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: elements.count <= 256)
            head = 0
        } else if head >= 64, head * 2 >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }

    /// Keeps those for which `isKept` holds, in order.
    mutating func keep(where isKept: (Element) -> Bool) {
        elements = elements[head...].filter { $0.map(isKept) ?? false }
        head = 0
    }
}
