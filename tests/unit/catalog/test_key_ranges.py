"""Which key small numbers come from."""

from inquery.catalog.key_ranges import Range, may_refer, numbers_of, only_fit


def key(count: int) -> Range:
    return Range(tuple(range(1, count + 1)), count)


def test_the_key_whose_range_is_filled_is_meant() -> None:
    given = numbers_of(str(n) for n in range(2, 80, 3))
    assert only_fit(given, [key(80), key(900), key(60)]) == 0


def test_no_key_is_meant_where_two_have_the_range_or_numbers_are_few() -> None:
    given = numbers_of(str(n) for n in range(2, 80, 3))
    assert only_fit(given, [key(80), key(82)]) is None
    assert only_fit((3, 7, 11), [key(12)]) is None


def test_a_key_that_was_not_read_to_its_end_is_never_the_one() -> None:
    assert only_fit(tuple(range(1, 9_000, 3)), [Range(tuple(range(1, 10_001)), 20_000)]) is None


def test_names_that_speak_of_something() -> None:
    assert all(map(may_refer, ("maker_id", "suggestedby", "fk_soc", "投保人", "lender")))
    assert not any(map(may_refer, ("quantity", "days", "seats", "数量")))
