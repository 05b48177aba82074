/**
 * The page of a question. All texts come from models, corpora and data sets: they are put into the
 * page as text and never as markup.
 */
import type {
  Block,
  Card,
  Chip,
  CitedText,
  PassageItem,
  QuestionIndex,
  QuestionStory,
  RunStory,
  Section,
  TreeNode,
} from '../page-data.js';

type Child = Node | string;

function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = '',
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (className !== '') element.className = className;
  element.append(...children);
  return element;
}

function find<E extends Element>(selector: string): E {
  const element = document.querySelector<E>(selector);
  if (!element) throw new Error(`The page has no ${selector}.`);
  return element;
}

const index = JSON.parse(find('#index').textContent) as QuestionIndex;
const places = new Map(index.rows.map(({ id }, place) => [encodeURIComponent(id), place]));
const article = find<HTMLElement>('#story');
/** The run whose story is shown, also of the next question. */
let chosenRun = 0;

/** The stories are kept compressed, some of them together, in the order of the list. */
async function readStory(position: number): Promise<QuestionStory | undefined> {
  const packs = [...document.querySelectorAll<HTMLElement>('.stories')];
  const pack = packs.findLast((element) => Number(element.dataset.first) <= position);
  if (!pack) return undefined;
  const bytes = Uint8Array.from(atob(pack.textContent), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  const stories = (await new Response(stream).json()) as QuestionStory[];
  return stories[position - Number(pack.dataset.first)];
}

/** How the blocks of one run's story are made. */
class Writer {
  constructor(private readonly story: QuestionStory) {}

  run(run: RunStory): Node[] {
    const facts = run.facts.map(({ label, value }) =>
      el('div', '', el('dt', '', label), el('dd', '', value)),
    );
    return [
      el(
        'p',
        `answer ${run.state}`,
        chip({ text: run.state, tone: 'plain' }),
        this.cited(run.answer),
      ),
      el('dl', 'facts', ...facts),
      ...run.sections.map((section) => this.section(section)),
    ];
  }

  private section({ title, note, blocks, closed }: Section): Node {
    const summary = el('summary', '', el('h4', '', title));
    if (note) summary.append(el('span', 'note', note));
    const details = el('details', 'section', summary, ...blocks.map((block) => this.block(block)));
    details.open = !closed;
    return details;
  }

  private block(block: Block): Node {
    switch (block.type) {
      case 'text': {
        const text = el('p', 'prose', this.cited(block));
        return block.label ? el('div', 'said', el('span', 'label', block.label), text) : text;
      }
      case 'passages':
        return el('ul', 'passages', ...block.items.map((item) => this.passage(item)));
      case 'cards':
        return el('div', 'cards', ...block.items.map((card) => this.card(card)));
      case 'tree':
        return this.tree(block.items);
      case 'table':
        return table(block.head, block.rows);
      case 'fold': {
        const blocks = block.blocks.map((inner) => this.block(inner));
        return el('details', 'fold', el('summary', '', block.title), ...blocks);
      }
      case 'code':
        return el('pre', '', block.text);
    }
  }

  /** A text in which [1] leads to the passage that it stands for. */
  private cited({ text, cites = [] }: CitedText): Node {
    const places = new Map(cites.map(({ number, at }) => [`[${number}]`, at]));
    const parts = text.split(/(\[\d+\])/).map((part): Child => {
      const at = places.get(part);
      if (at === undefined) return part;
      const button = el('button', 'cite', part);
      button.type = 'button';
      button.title = this.story.passages[at]?.title ?? '';
      button.addEventListener('click', () => showPassage(button, at));
      return button;
    });
    return el('span', '', ...parts);
  }

  private passage({ at, number, chips }: PassageItem): Node {
    const passage = this.story.passages[at];
    if (!passage) return el('li');
    const { id, title, text, hit } = passage;
    const head: Child[] = [
      ...(number === undefined ? [] : [el('b', 'number', `[${number}]`)]),
      el('span', 'title', title || id),
      ...(title ? [el('code', 'id', id)] : []),
      ...(hit ? [chip({ text: 'holds an answer', tone: 'good' })] : []),
      ...chips.map(chip),
    ];
    if (text === null) return el('li', 'bare head', ...head);
    const details = el('details', '', el('summary', 'head', ...head), this.marked(text));
    details.dataset.at = String(at);
    return el('li', '', details);
  }

  /** A passage with the accepted answers marked. */
  private marked(text: string): Node {
    const names = this.story.answers.flatMap((names) => names.split(' / '));
    const wanted = names.filter((name) => name.length > 1 && name.length < 60);
    if (wanted.length === 0) return el('p', 'prose', text);
    const escaped = wanted.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    const parts = text.split(new RegExp(`(${escaped.join('|')})`, 'gi'));
    return el('p', 'prose', ...parts.map((part, i) => (i % 2 === 1 ? el('mark', '', part) : part)));
  }

  private card({ title, chips, chosen, blocks }: Card): Node {
    return el(
      'div',
      chosen ? 'card chosen' : 'card',
      el(
        'div',
        'head',
        el('strong', '', title),
        ...(chosen ? [chip({ text: 'the answer', tone: 'good' })] : []),
        ...chips.map(chip),
      ),
      ...blocks.map((block) => this.block(block)),
    );
  }

  private tree(nodes: readonly TreeNode[]): HTMLElement {
    return el('ul', 'tree', ...nodes.map((node) => this.treeNode(node)));
  }

  private treeNode({ title, chips, chosen, blocks, children }: TreeNode): Node {
    const head = [
      el('strong', '', title),
      ...(chosen ? [chip({ text: 'the answer', tone: 'good' })] : []),
      ...chips.map(chip),
    ];
    const body = blocks.map((block) => this.block(block));
    const node =
      body.length === 0
        ? el('div', 'node head', ...head)
        : el('details', 'node', el('summary', 'head', ...head), ...body);
    if (chosen) node.classList.add('chosen');
    return el('li', '', node, ...(children.length === 0 ? [] : [this.tree(children)]));
  }
}

function chip({ text, tone }: Chip): Node {
  return el('span', `chip ${tone}`, text);
}

function table(head: readonly string[], rows: readonly string[][]): Node {
  const cells = (tag: 'th' | 'td', texts: readonly string[]) =>
    el('tr', '', ...texts.map((text) => el(tag, '', text)));
  const body = el('tbody', '', ...rows.map((row) => cells('td', row)));
  const scroller = el('div', 'scroller', el('table', '', el('thead', '', cells('th', head)), body));
  scroller.tabIndex = 0;
  scroller.role = 'region';
  scroller.ariaLabel = head.join(', ');
  return scroller;
}

/** Opens the passage in the list nearest to where it is cited, and goes there. */
function showPassage(from: Element, at: number): void {
  const found = from
    .closest('.panel')
    ?.querySelector<HTMLDetailsElement>(`details[data-at="${at}"]`);
  if (!found) return;
  for (let outer = found.parentElement; outer; outer = outer.parentElement) {
    if (outer instanceof HTMLDetailsElement) outer.open = true;
  }
  found.open = true;
  found.scrollIntoView({ block: 'center' });
  found.querySelector('summary')?.focus();
}

function show(story: QuestionStory): void {
  const writer = new Writer(story);
  const there = story.runs.flatMap((run, i) => (run ? [i] : []));
  const current = there.includes(chosenRun) ? chosenRun : (there[0] ?? 0);
  const panels = story.runs.map((run, i) => {
    const panel = el('div', 'panel', ...(run ? writer.run(run) : [el('p', 'note', 'Not ended.')]));
    panel.hidden = i !== current;
    panel.id = `panel-${i}`;
    panel.role = 'tabpanel';
    panel.ariaLabel = index.runs[i]?.name ?? '';
    return panel;
  });
  const golden = story.answers.map((answer) => el('span', 'gold', answer));
  article.replaceChildren(
    el('h3', '', story.question),
    el('p', 'accepted', el('span', 'label', 'Accepted'), ...golden, el('code', 'id', story.id)),
    ...(index.runs.length > 1 ? [tabs(story, panels, current)] : []),
    ...panels,
  );
  article.scrollTo(0, 0);
  find('#opened').textContent = story.question;
}

function tabs(story: QuestionStory, panels: readonly HTMLElement[], current: number): Node {
  const buttons = index.runs.map(({ name }, i) => {
    const state = story.runs[i]?.state ?? 'open';
    const button = el('button', `run c${i % 8}`, el('i', 'dot'), name, el('span', `mark ${state}`));
    button.type = 'button';
    button.role = 'tab';
    button.title = `${name}: ${state}`;
    button.setAttribute('aria-controls', `panel-${i}`);
    return button;
  });
  const choose = (chosen: number) => {
    chosenRun = chosen;
    for (const [i, button] of buttons.entries()) {
      button.ariaSelected = String(i === chosen);
      button.tabIndex = i === chosen ? 0 : -1;
      const panel = panels[i];
      if (panel) panel.hidden = i !== chosen;
    }
  };
  for (const [i, button] of buttons.entries()) {
    button.addEventListener('click', () => choose(i));
    button.addEventListener('keydown', ({ key }) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[key];
      if (by === undefined) return;
      const next = (i + by + buttons.length) % buttons.length;
      choose(next);
      buttons[next]?.focus();
    });
  }
  choose(current);
  const row = el('div', 'tabs', ...buttons);
  row.role = 'tablist';
  return row;
}

async function follow(): Promise<void> {
  const [, id] = /^#q=(.*)$/.exec(location.hash) ?? [];
  const position = places.get(id ?? '');
  if (position === undefined) {
    article.replaceChildren(el('p', 'note', 'Choose a question.'));
    return;
  }
  const address = location.hash;
  const story = await readStory(position);
  // Another question may have been opened meanwhile.
  if (story && location.hash === address) show(story);
}

function open(): void {
  follow().catch((error) => {
    article.replaceChildren(el('p', 'note', `The question cannot be shown. ${error}`));
  });
}

addEventListener('hashchange', open);
open();
