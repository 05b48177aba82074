/** What views are made from. */

export type {
  Block,
  Card,
  Chip,
  PassageItem,
  PassageName,
  Section,
  Tone,
  TreeNode,
} from '../methods/section.js';
export type { View, ViewContext } from '../methods/view.js';
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
export { drawSections } from './terminal.js';
