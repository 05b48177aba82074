/**
 * Pattern of a valid name of a run, study, tune, data set or demonstration set: letters, digits,
 * ".", "_" and "-", at most 100, the first a letter or a digit.
 */
export const NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** The rule of `NAME_PATTERN` in words, to follow the name of a field in an error message. */
export const NAME_RULE =
  'must be letters, digits, ".", "_" or "-", at most 100 of them, the first a letter or a digit';
