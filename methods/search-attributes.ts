/** The custom search attributes, all Keyword, by which a question is found in Temporal. */
export const SEARCH_ATTRIBUTES = ['QaMethod', 'QaDataset', 'QaRun', 'QaOutcome'] as const;

export type SearchAttribute = (typeof SEARCH_ATTRIBUTES)[number];
