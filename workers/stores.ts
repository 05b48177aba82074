/** The namespaces of the store, and what may be forgotten of each. */

/** The namespace of the store that vectors are kept in. */
export const EMBEDDINGS = 'embeddings';
/** The namespace of the store that supplied passages are kept in. */
export const PASSAGES = 'passages';

/** Kept so that nothing is paid for twice: what is forgotten is paid for again when it is needed. */
export const CACHES = ['responses', EMBEDDINGS, 'relevance'] as const;

/** What runs, questions and limits refer to: it goes with them. */
export const KEPT = [PASSAGES, 'demonstrations', 'rates'] as const;
