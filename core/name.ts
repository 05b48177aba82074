/** What may name a run, a data set or a demonstration set. */
export const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** How another name is refused. */
export const NAME_RULE = 'must be letters, digits, ".", "_" or "-", at most 100 of them';
