/// A day of the proleptic Gregorian calendar and its number, counted from 1 January 1970.
///
/// The conversions count years from 1 March, so that a leap day ends its year, in eras of 400 years (146,097 days).
struct CivilDate: Equatable {
    var year: Int
    var month: Int
    var day: Int

    init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// The date `days` after 1 January 1970; only for days of the year 0 and later.
    init(daysSinceEpoch days: Int) {
        let shifted = days + 719_468  // days since 1 March of the year 0
        let adjusted = shifted + 146_097  // one era more, so that January and February of the year 0 stay positive
        let era = adjusted / 146_097
        let dayOfEra = adjusted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153  // 0 is March
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + (era - 1) * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days since 1 January 1970, for a year of 1 or later.
    var daysSinceEpoch: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = shiftedYear / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// Whether the month and the day exist.
    var isValid: Bool {
        (1...12).contains(month) && day >= 1 && day <= Self.length(ofMonth: month, in: year)
    }

    private static func length(ofMonth month: Int, in year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }
}
