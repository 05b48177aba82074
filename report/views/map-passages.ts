/** Renames the passages of sections, as by their places in a page's data. Pure. */
import type { Block, Card, PassageItem, Section, TreeNode } from '../../core/section.js';

/**
 * Returns the new name of a passage, and loads its text if needed; `rank` is its place in its list,
 * from 0.
 */
export type NamePassage<P, Q> = (item: PassageItem<P>, rank: number) => Q;

export function mapPassages<P, Q>(
  sections: readonly Section<P>[],
  name: NamePassage<P, Q>,
): Section<Q>[] {
  return sections.map((section) => ({ ...section, blocks: mapBlocks(section.blocks, name) }));
}

function mapBlocks<P, Q>(blocks: readonly Block<P>[], name: NamePassage<P, Q>): Block<Q>[] {
  const inside = (inner: readonly Block<P>[]) => mapBlocks(inner, name);
  const card = (one: Card<P>): Card<Q> => ({ ...one, blocks: inside(one.blocks) });
  const node = (one: TreeNode<P>): TreeNode<Q> => ({
    ...one,
    ...card(one),
    children: one.children.map(node),
  });
  const item = (one: PassageItem<P>, rank: number): PassageItem<Q> => {
    const { blocks: made, titleOnly: _, ...rest } = one;
    return { ...rest, passage: name(one, rank), ...(made && { blocks: inside(made) }) };
  };
  return blocks.map((block): Block<Q> => {
    switch (block.type) {
      case 'passages':
        return { ...block, items: block.items.map(item) };
      case 'cards':
        return { ...block, items: block.items.map(card) };
      case 'tree':
        return { ...block, items: block.items.map(node) };
      case 'fold':
        return { ...block, blocks: inside(block.blocks) };
      default:
        return block;
    }
  });
}
