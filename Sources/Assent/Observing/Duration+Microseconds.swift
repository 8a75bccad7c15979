extension Duration {
    /// Whole microseconds; saturates.
    var microseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        return overflow ? (seconds < 0 ? .min : .max) : whole + attoseconds / 1_000_000_000_000
    }
}
