/// What a decision was made on, kept with its event, so that it can be understood when all of it has changed since.
package struct Evidence: Sendable, Hashable {
    /// An answer that counted.
    package struct CountedAnswer: Sendable, Hashable {
        package let guardian: CallerID
        package let kind: AnswerKind
        /// The question's revision that the answer made.
        package let revision: Int

        package init(guardian: CallerID, kind: AnswerKind, revision: Int) {
            self.guardian = guardian
            self.kind = kind
            self.revision = revision
        }
    }

    /// The revision of the person's facts.
    package let personRevision: Int
    /// What those facts meant by the policy: of a person whose device reports no duties, their region may say from which
    /// age they answer for themselves.
    package let ageGroup: AgeGroup
    /// The app's revision, which says what its policy was.
    package let policyRevision: Int
    /// How many guardians must approve; nil where none are asked.
    package let quorum: Int?
    /// Each guardian's latest answer that counted, in the order given: also where no answer made the decision, since it is
    /// what they had come to by then.
    package let answers: [CountedAnswer]

    package init(
        personRevision: Int, ageGroup: AgeGroup, policyRevision: Int, quorum: Int? = nil,
        answers: [CountedAnswer] = []
    ) {
        self.personRevision = personRevision
        self.ageGroup = ageGroup
        self.policyRevision = policyRevision
        self.quorum = quorum
        self.answers = answers
    }

    /// Of a decision about a person, and about a question where one was decided; `counted` are the answers to that question.
    package init(_ person: Person, _ app: App, _ question: Question? = nil, counted: [GuardianAnswer] = []) {
        self.init(
            personRevision: person.revision,
            ageGroup: AgeGroup(
                person.facts.ageRange, adultAge: app.settings.policy.adultAge(of: person.facts)),
            policyRevision: app.revision, quorum: question?.quorum,
            answers: counted.filter { $0.voidedAt == nil }.sorted { $0.revision < $1.revision }.map {
                CountedAnswer(guardian: $0.guardian, kind: $0.kind, revision: $0.revision)
            })
    }
}
