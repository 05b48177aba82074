/** All workflows, by the type name they are started with. */
export { base } from './base.js';
export { sure } from './sure.js';
