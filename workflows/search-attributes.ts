/**
 * List of the names of the custom search attributes by which questions are found in Temporal, all
 * of type Keyword.
 */
export const SEARCH_ATTRIBUTES = [
  'QaMethod',
  'QaDataset',
  'QaRun',
  'QaTenant',
  'QaOutcome',
] as const;

type SearchAttribute = (typeof SEARCH_ATTRIBUTES)[number];

/** A search attribute with its value, in the form of Temporal's SDK. */
export interface KeywordPair {
  key: { name: SearchAttribute; type: 'KEYWORD' };
  value: string;
}

/**
 * Returns search attributes in the form of Temporal's SDK, an array of objects with `key` and
 * `value`; those without a value are left out.
 */
export function keywords(
  attributes: Partial<Record<SearchAttribute, string | undefined>>,
): KeywordPair[] {
  return SEARCH_ATTRIBUTES.flatMap((name) => {
    const value = attributes[name];
    return value === undefined ? [] : [{ key: { name, type: 'KEYWORD' as const }, value }];
  });
}

/** Labels by which a question is found, besides its method. */
interface Labels {
  run?: string | undefined;
  dataset?: string | undefined;
  tenant?: string | undefined;
}

/**
 * Returns the Temporal search attributes that are known before a question begins: method, data set,
 * run and tenant. Those without a value are left out.
 */
export function attributesAtStart(method: string, { run, dataset, tenant }: Labels): KeywordPair[] {
  return keywords({ QaMethod: method, QaDataset: dataset, QaRun: run, QaTenant: tenant });
}
