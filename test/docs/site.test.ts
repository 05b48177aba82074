/** The site shows every page of the docs, and nothing else. */
import { expect, it } from 'vitest';
import { groups } from '../../site/.vitepress/pages.js';
import { pages } from './pages.js';

it('has each page of docs/ in its sidebar, once', () => {
  const listed = groups.flatMap((group) => Object.keys(group.pages));
  const there = pages.flatMap(({ path }) => path.match(/^docs\/(.*)\.md$/)?.[1] ?? []);
  expect(listed.toSorted()).toEqual(there.toSorted());
});
