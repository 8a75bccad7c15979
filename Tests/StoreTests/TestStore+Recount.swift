import TestSupport
import Testing

extension TestStore {
    /// Holds every counter against a count of the rows it stands for.
    func expectRecounted() throws {
        let progress = """
            select app_id, change_id, status, count from change_progress where count <> 0
            """
        let questions = """
            select app_id, topic_value, state, count(*) from (
                select distinct on (app_id, person_ref, subject) * from question
                where topic = 'significantAppUpdate' order by app_id, person_ref, subject, id desc) q
            group by 1, 2, 3
            union all
            select app_id, change_id, 'acknowledged', count(*) from acknowledgment group by 1, 2
            """
        expectSame(try texts("(\(progress)) ".asRows), try texts("(\(questions)) ".asRows))
        let facts = """
            app_id, age_kind, age_lower, age_upper, age_declaration, duties_kind, duties, original_value, original_kind,
            original_environment, region
            """
        expectSame(
            try texts("(select \(facts), count from person_group where count <> 0) ".asRows),
            try texts("(select \(facts), count(*) from person group by \(facts)) ".asRows))
        #expect(try count("select count(*) from change_progress where count < 0") == 0)
        #expect(try count("select count(*) from person_group where count < 0") == 0)
    }

    private func expectSame(_ counted: [String], _ recounted: [String]) {
        #expect(counted == recounted)
    }
}

extension String {
    /// The rows of a query in parentheses, each as one text, in order.
    fileprivate var asRows: String { "select r::text from \(self) r order by 1" }
}
