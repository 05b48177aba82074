/** What a program imports to tell how an answer came about: `import { sectionsOf } from 'durable-rag/views'`. */
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
export { sectionsOf, views } from './registry.js';
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
export type { View, ViewContext, Views } from './view.js';
