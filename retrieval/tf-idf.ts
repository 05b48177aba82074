const WORDS = new Intl.Segmenter('en', { granularity: 'word' });

/**
 * Returns the cosine similarity of each text's TF-IDF vector to the query's, from 0 to 1, in the
 * order of the texts, which are taken as the whole collection (scikit-learn's TfidfVectorizer with
 * its defaults: idf is ln((1 + n) / (1 + df)) + 1). Texts are split by Unicode's word rules, so
 * that any language can be scored.
 */
export function tfIdfScores(query: string, texts: readonly string[]): number[] {
  const documents = texts.map(countWords);
  const asked = countWords(query);
  const idf = new Map(
    [...asked.keys(), ...documents.flatMap((words) => [...words.keys()])].map((word) => {
      const df = documents.filter((words) => words.has(word)).length;
      return [word, df === 0 ? 0 : Math.log((1 + texts.length) / (1 + df)) + 1];
    }),
  );
  const weight = (words: Words, word: string) => (words.get(word) ?? 0) * (idf.get(word) ?? 0);
  const norm = (words: Words) =>
    Math.hypot(...[...words.keys()].map((word) => weight(words, word)));
  const ofQuery = norm(asked);
  return documents.map((words) => {
    const product = [...asked.keys()]
      .map((word) => weight(asked, word) * weight(words, word))
      .reduce((a, b) => a + b, 0);
    return product === 0 ? 0 : product / (ofQuery * norm(words));
  });
}

type Words = ReadonlyMap<string, number>;

function countWords(text: string): Words {
  const counts = new Map<string, number>();
  for (const { segment, isWordLike } of WORDS.segment(text.normalize('NFC').toLowerCase())) {
    if (isWordLike) counts.set(segment, (counts.get(segment) ?? 0) + 1);
  }
  return counts;
}
