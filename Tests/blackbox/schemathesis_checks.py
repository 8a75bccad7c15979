"""A check of our own for schemathesis, more exact than its `positive_data_acceptance`, which can only be told statuses.

A request that fits every schema may be refused for what it points at; it must not be refused for its shape, unless for one of
the few rules of shape that no schema can state.
"""

import re

import schemathesis

# Slugs that say that the request itself is wrong.
SHAPE = {"malformed-request", "malformed-body", "invalid-body", "invalid-parameter", "invalid-header", "unsupported-media-type",
         "not-found", "method-not-allowed", "body-too-large", "head-too-large", "target-too-long"}
# Rules beyond JSON Schema: which types of events there are, and that a person and a question exclude each other; what a table in text/csv must be; cursors are only what a list has given; lengths are in bytes; 6.0 is an integer to it; and members
# that must agree with each other. And what a webhook's URL must be in detail, and that its address must be a public one.
BEYOND_PARAMETERS = {"cursor", "after", "type", "question"}
BEYOND_DETAILS = re.compile(
    r"must name the columns|must be (a|one) column|must have \d+ fields|a quote |a carriage return|text follows a closing|"
    r"the text is not UTF-8|must be a date such as|must be 1 to 128 bytes|"
    r"must be (a string|an array|an object) of .*(byte|element|member)|must be an integer|must be a string of .* bytes"
    r"|must be a string of 1 to 128 bytes|must not be above (upperBound|ageUpper)|must not repeat a language|an earlier item answers"
    r"|cannot be given beside a person|must name types of events|must be a type of event|must not be shorter than the default expiration|names a region twice|must be named by a BCP 47|must be a web origin|must be a bundle id|must be .*language tag|must be an RFC 3339|64-bit number"
    r"|must (name a host in ASCII|write an IP address in its usual form|have a port from 1|encode what RFC 3986)|is blocked: ")


@schemathesis.check
def shape_is_as_promised(ctx, response, case):
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code < 400:
        return
    problem = response.json()
    slug = problem["type"].rsplit("/", 1)[-1]
    if slug not in SHAPE:
        return
    if problem.get("parameter") in BEYOND_PARAMETERS:
        return
    errors = problem.get("errors", [])
    if errors and all(BEYOND_DETAILS.search(error["detail"]) for error in errors):
        return
    raise AssertionError(f"what fits the contract is refused for its shape: {slug} {problem.get('detail', '')} {errors}")


@schemathesis.check
def problems_are_problems(ctx, response, case):
    """Every error of ours is a problem document whose status is the response's."""
    if response.status_code < 400:
        return
    assert response.headers["content-type"][0].startswith("application/problem+json")
    problem = response.json()
    assert problem["status"] == response.status_code and "/problems/" in problem["type"] and problem["title"]
    assert response.status_code < 500, problem
