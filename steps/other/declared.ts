/** The steps that ask no language model, as methods name them; `activities/steps/` carries them out. */
export { demonstrationSet } from './demonstration-set.js';
export { embedTexts } from './embed-texts.js';
export { rankByCrossEncoder, rankBySimilarity } from './rank.js';
export { retrieve } from './retrieve.js';
export { scoreByTfIdf } from './score-by-tf-idf.js';
