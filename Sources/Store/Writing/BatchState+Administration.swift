import Consent

/// Commands about the app itself: its settings, keys and changes.
extension BatchState {
    mutating func putChange(_ id: CallerID, _ settings: ChangeSettings, _ precondition: Precondition) -> Reply {
        let existing = changes[id]
        guard precondition.allows(revision: existing?.revision) else { return refused(.preconditionFailed) }
        if let existing, existing.withdrawal != nil { return refused(.changeWithdrawn(existing)) }
        let change = Change(
            id: id, settings: settings, revision: (existing?.revision ?? 0) + 1,
            createdAt: existing?.createdAt ?? now, updatedAt: now)
        if let existing, EventEncoding.change(existing) == EventEncoding.change(change) {
            return .done(.change(existing, created: false))
        }
        if existing == nil {
            open(change)
        } else {
            changes[id] = change
            writes.changes.append((change, .update))
            tell(.changeUpdated, revision: change.revision, EventEncoding.change(change))
        }
        return .done(.change(change, created: existing == nil))
    }

    /// Registers a change that is not there.
    mutating func open(_ change: Change) {
        changes[change.id] = change
        writes.changes.append((change, .insert))
        tell(.changeRegistered, revision: change.revision, EventEncoding.change(change))
    }

    /// Marks the change, no more: there may be a million questions about it. Whoever asks or answers looks at the mark.
    mutating func withdraw(_ id: CallerID, _ reason: String?) -> Reply {
        guard let existing = changes[id] else { return refused(.unknownChange) }
        guard let change = existing.withdrawn(reason: reason, at: now) else {
            return .done(.change(existing, created: false))
        }
        changes[id] = change
        writes.changes.append((change, .withdraw))
        tell(.changeWithdrawn, revision: change.revision, EventEncoding.change(change))
        return .done(.change(change, created: false))
    }

    mutating func putApp(_ settings: AppSettings, _ precondition: Precondition) -> Reply {
        let existing = appRow
        guard precondition.allows(revision: existing?.revision) else { return refused(.preconditionFailed) }
        let next = App(
            id: app, settings: settings, revision: (existing?.revision ?? 0) + 1,
            createdAt: existing?.createdAt ?? now, updatedAt: now)
        if let existing, EventEncoding.app(existing) == EventEncoding.app(next) {
            return .done(.app(existing, created: false))
        }
        appRow = next
        writes.apps.append((next, feed: existing == nil ? FeedID.random() : nil))
        tell(.appUpdated, revision: next.revision, EventEncoding.app(next))
        return .done(.app(next, created: existing == nil))
    }

    mutating func createKey(_ new: NewKey) -> Reply {
        let key = APIKey(
            id: new.id, app: app, role: new.role, label: new.label, rateLimit: new.rateLimit, createdAt: now,
            revokedAt: nil)
        keys[key.id] = key
        writes.newKeys.append((key, new.secretHash))
        tell(.keyCreated, revision: nil, EventEncoding.key(key))
        return .done(.key(key))
    }

    mutating func revokeKey(_ id: Identifier) -> Reply {
        guard var key = keys[id], key.revokedAt == nil else { return refused(.unknownKey) }
        key.revokedAt = now
        keys[id] = key
        writes.revokedKeys.append(key)
        tell(.keyRevoked, revision: nil, EventEncoding.key(key))
        return .done(.keyRevoked)
    }

    private mutating func tell(_ event: EventType, revision: Int?, _ data: [UInt8]?) {
        writes.events.append(
            PendingEvent(type: event, personRef: nil, question: nil, revision: revision, data: data))
    }
}
