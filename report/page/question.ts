/** Shows the page of the question that the address names. */
import type { QuestionIndex, ShownPage } from '../page-data.js';

function find<E extends Element>(selector: string): E {
  const element = document.querySelector<E>(selector);
  if (!element) throw new Error(`The page has no ${selector}.`);
  return element;
}

const index = JSON.parse(find('#index').textContent) as QuestionIndex;
const places = new Map(index.rows.map(({ key }, place) => [key, place]));
const article = find<HTMLElement>('#question');
/** The position of the run that is shown, also of the next question. */
let chosenRun = '0';

/** Reads a question's page. Pages are compressed, several together, in the order of the list. */
async function readPage(position: number): Promise<ShownPage | undefined> {
  const packs = [...document.querySelectorAll<HTMLElement>('.pages')];
  const pack = packs.findLast((element) => Number(element.dataset.first) <= position);
  if (!pack) return undefined;
  const bytes = Uint8Array.from(atob(pack.textContent), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  const pages = (await new Response(stream).json()) as ShownPage[];
  return pages[position - Number(pack.dataset.first)];
}

/** Opens the passage in the list nearest to its citation, and scrolls there. */
function showPassage(from: HTMLElement): void {
  const found = from
    .closest('.panel')
    ?.querySelector<HTMLDetailsElement>(`[data-passage="${from.dataset.cites}"]`);
  for (let outer: Element | null = found ?? null; outer; outer = outer.parentElement) {
    if (outer instanceof HTMLDetailsElement) outer.open = true;
  }
  found?.scrollIntoView({ block: 'center' });
  found?.querySelector('summary')?.focus();
}

function reveal(run: string): void {
  for (const panel of article.querySelectorAll<HTMLElement>('.panel')) {
    panel.hidden = panel.dataset.at !== run;
  }
}

function show({ markup, passages }: ShownPage): void {
  article.innerHTML = markup;
  for (const passage of article.querySelectorAll<HTMLElement>('[data-passage]')) {
    passage.insertAdjacentHTML('beforeend', passages[Number(passage.dataset.passage)] ?? '');
  }
  const ended = [...article.querySelectorAll<HTMLElement>('.panel[data-run]')];
  const there = ended.map((panel) => panel.dataset.at ?? '');
  const current = there.includes(chosenRun) ? chosenRun : (there[0] ?? '0');
  reveal(current);
  for (const input of article.querySelectorAll('input')) input.checked = input.value === current;
  for (const select of article.querySelectorAll('select')) select.value = current;
  article.dispatchEvent(new Event('shown'));
  article.scrollTo(0, 0);
  find('#opened').textContent = find('#question h3').textContent;
}

async function follow(): Promise<void> {
  const position = places.get(new URLSearchParams(location.hash.slice(1)).get('q') ?? '');
  if (position === undefined) return say('Choose a question.');
  const address = location.hash;
  const page = await readPage(position);
  // Another question may have been opened meanwhile.
  if (page && location.hash === address) show(page);
}

function say(words: string): void {
  const note = { className: 'note', textContent: words };
  article.replaceChildren(Object.assign(document.createElement('p'), note));
}

function open(): void {
  follow().catch((error) => say(`The question cannot be shown. ${error}`));
}

article.addEventListener('click', ({ target }) => {
  if (target instanceof HTMLElement && target.matches('.cite')) showPassage(target);
});
article.addEventListener('input', ({ target }) => {
  if (!(target instanceof Element && target.closest('.runs'))) return;
  chosenRun = (target as HTMLInputElement | HTMLSelectElement).value;
  reveal(chosenRun);
});
addEventListener('hashchange', open);
open();
