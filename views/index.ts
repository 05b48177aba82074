/** What views are made from. */
export {
  cards,
  chip,
  note,
  passageSection,
  passages,
  readingSection,
  section,
  table,
  text,
  titles,
} from './parts.js';
export type {
  Block,
  Card,
  Chip,
  PassageItem,
  PassageName,
  Section,
  Tone,
  TreeNode,
} from './section.js';
export { drawSections } from './terminal.js';
export type { View, ViewContext } from './view.js';
