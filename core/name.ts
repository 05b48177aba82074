/** Names of runs, data sets and demonstration sets. */
export const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** The rule for names, as it follows the name of a field in a message about an invalid one. */
export const NAME_RULE = 'must be letters, digits, ".", "_" or "-", at most 100 of them';
