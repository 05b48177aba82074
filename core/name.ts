/** Names of runs, data sets and demonstration sets. */
export const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** Message for an invalid name. */
export const NAME_RULE = 'must be letters, digits, ".", "_" or "-", at most 100 of them';
