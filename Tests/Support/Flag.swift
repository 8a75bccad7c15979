/// Something that becomes true once, for tasks to look at. The actor owns it.
package actor Flag {
    package private(set) var isRaised = false

    package init() {}

    package func raise() {
        isRaised = true
    }
}
