package import Consent

/// How far a change has come among an app's persons.
package struct ChangeProgress: Sendable, Hashable {
    /// Persons registered, whether the change concerns them or not.
    package let persons: Int
    /// Of them, by the state in which their newest question about the change is stored; every state is there. One that is
    /// overdue counts as pending until the sweep.
    package let questions: [QuestionState: Int]
    /// Those who acknowledged it.
    package let acknowledged: Int

    package init(persons: Int, questions: [QuestionState: Int], acknowledged: Int) {
        self.persons = persons
        self.questions = questions
        self.acknowledged = acknowledged
    }
}
