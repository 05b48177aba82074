/**
 * The list of questions: search, filters, pages and keys. The address contains the open question
 * and the filters ("#q=ID&run=NAME&state=wrong&state=failed"); list and page share nothing else.
 */
import type { IndexRow, QuestionIndex } from '../page-data.js';

const PAGE = 50;
/** Maximum number of marks on a line; with more runs it shows how many are right. */
const MOST_MARKS = 8;
const MARKS: Record<string, string> = {
  right: '✓',
  wrong: '✗',
  unknown: '?',
  unreadable: '~',
  failed: '!',
};

function find<E extends Element>(selector: string): E {
  const element = document.querySelector<E>(selector);
  if (!element) throw new Error(`The page has no ${selector}.`);
  return element;
}

const index = JSON.parse(find('#index').textContent) as QuestionIndex;
const browser = find<HTMLElement>('#questions');
const figures = find<HTMLElement>('#figures');
const form = find<HTMLFormElement>('#filters');
const search = find<HTMLInputElement>('#search');
const run = find<HTMLSelectElement>('#run');
const against = find<HTMLSelectElement>('#against');
const disagreement = find<HTMLSelectElement>('#disagreement');
const order = find<HTMLSelectElement>('#order');
const list = find<HTMLOListElement>('#list');
const template = find<HTMLTemplateElement>('#row');
const states = [...document.querySelectorAll<HTMLInputElement>('.states input')];
/** Default filters, which addresses leave out. */
const USUAL = [run, disagreement, order].map(({ name, value }) => `${name}=${value}`);

const texts = index.rows.map((row) =>
  [row.id, row.question, ...row.answers, ...row.runs.map((cell) => cell?.answer ?? '')]
    .join('\n')
    .toLowerCase(),
);
const places = new Map(index.rows.map(({ key }, place) => [key, place]));
let shown: number[] = [];
let page = 0;

/** Returns the position of a chosen run; -1 if none is chosen. */
function positionOf({ value }: { value: string }): number {
  return index.runs.findIndex((one) => one.run === value);
}

function stateIn(row: IndexRow | undefined, position: number): string {
  return row?.runs[position]?.state ?? 'open';
}

/** Returns whether two runs disagree on the question in the way asked for. */
function disagrees(row: IndexRow): boolean {
  if (against.value === '') return true;
  const [one, other] = [positionOf(run), positionOf(against)];
  const right = [one, other].filter((at) => stateIn(row, at) === 'right');
  const isSplit = right.length === 1;
  const ways: Record<string, boolean> = {
    first: isSplit && right[0] === one,
    second: isSplit && right[0] === other,
    either: isSplit,
    answers: row.runs[one]?.answer.toLowerCase() !== row.runs[other]?.answer.toLowerCase(),
  };
  return ways[disagreement.value] ?? true;
}

function update(): void {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = new Set(states.filter(({ checked }) => checked).map(({ value }) => value));
  const position = positionOf(run);
  const data = index.runs[position]?.data;
  for (const option of against.options) {
    option.disabled = option.value !== '' && index.runs[positionOf(option)]?.data !== data;
    if (option.disabled && option.selected) against.value = '';
  }
  const counts: Record<string, number> = {};
  shown = [];
  for (const [place, row] of index.rows.entries()) {
    const text = texts[place] ?? '';
    if (row.data !== data) continue;
    if (!words.every((word) => text.includes(word)) || !disagrees(row)) continue;
    const state = stateIn(row, position);
    counts[state] = (counts[state] ?? 0) + 1;
    if (wanted.size === 0 || wanted.has(state)) shown.push(place);
  }
  const rank = (place: number) => {
    const row = index.rows[place];
    return row?.changed ? Infinity : order.value === 'file' ? 0 : (row?.split ?? 0);
  };
  shown.sort((a, b) => (rank(a) === rank(b) ? a - b : rank(b) - rank(a)));
  for (const input of states) {
    const label = input.parentElement?.querySelector('.count');
    if (label) label.textContent = (counts[input.value] ?? 0).toLocaleString('en-US');
  }
  disagreement.disabled = against.value === '';
  page = 0;
  render();
}

/** Returns the filters in the form of the address. */
function chosen(): string {
  const filters = [...new FormData(form)].map(([name, value]) => [name, String(value)] as const);
  return filters
    .filter(([name, value]) => value !== '' && !USUAL.includes(`${name}=${value}`))
    .map(([name, value]) => `&${name}=${encodeURIComponent(value)}`)
    .join('');
}

function choose(address: URLSearchParams): void {
  for (const select of [run, against, disagreement, order]) {
    select.value = address.get(select.name) ?? '';
    if (select.selectedIndex < 0) select.selectedIndex = 0;
  }
  // A question is shown for a run that was asked it.
  const open = index.rows[openPlace()];
  if (open && index.runs[positionOf(run)]?.data !== open.data) {
    run.value = index.runs.find(({ data }) => data === open.data)?.run ?? '';
  }
  for (const input of states) input.checked = address.getAll('state').includes(input.value);
  search.value = address.get('find') ?? '';
}

/** Writes the filters into the address, and applies them. */
function changed(): void {
  const row = index.rows[openPlace()];
  const isOfRun = row?.data === index.runs[positionOf(run)]?.data;
  history.replaceState(null, '', row && isOfRun ? addressOf(row) : listAddress());
  update();
  follow();
}

function listAddress(): string {
  return `#questions${chosen()}`;
}

function render(): void {
  const from = page * PAGE;
  list.start = from + 1;
  list.replaceChildren(...shown.slice(from, from + PAGE).flatMap((place) => item(place)));
  const last = Math.min(from + PAGE, shown.length);
  const [first, until, all] = [from + 1, last, shown.length].map((n) => n.toLocaleString('en-US'));
  find('#found').textContent =
    shown.length === 0 ? 'No question matches.' : `${first}–${until} of ${all}`;
  find<HTMLButtonElement>('#back').disabled = page === 0;
  find<HTMLButtonElement>('#forth').disabled = last === shown.length;
  showCurrent();
}

function item(place: number): Node[] {
  const row = index.rows[place];
  const line = document.importNode(template.content, true).firstElementChild;
  const link = line?.querySelector('a');
  if (!row || !line || !link) return [];
  link.href = addressOf(row);
  link.dataset.place = String(place);
  line.classList.toggle('changed', row.changed === true);
  const own = index.runs.flatMap(({ data }, position) => (data === row.data ? [position] : []));
  const marks = own.length > MOST_MARKS ? [tally(row, own)] : own.map((at) => mark(row, at));
  line.querySelector('.marks')?.replaceChildren(...marks);
  const set = (selector: string, text: string) => {
    const element = line.querySelector(selector);
    if (element) element.textContent = text;
  };
  set('.asked', row.question);
  set('.said', row.runs[positionOf(run)]?.answer ?? 'not asked yet');
  const isRight = stateIn(row, positionOf(run)) === 'right';
  set('.gold', isRight ? '' : row.answers.join(' · '));
  return [line];
}

function mark(row: IndexRow, position: number): HTMLElement {
  const state = stateIn(row, position);
  const title = `${index.runs[position]?.name ?? ''}: ${state}`;
  return Object.assign(document.createElement('span'), {
    className: `mark ${state}`,
    textContent: MARKS[state] ?? '·',
    title,
    ariaLabel: title,
    role: 'img',
  });
}

function tally(row: IndexRow, own: readonly number[]): HTMLElement {
  const right = own.filter((position) => stateIn(row, position) === 'right').length;
  const textContent = `${right} of ${own.length} right`;
  return Object.assign(document.createElement('span'), { className: 'note', textContent });
}

function addressOf({ key }: IndexRow): string {
  return `#q=${encodeURIComponent(key)}${chosen()}`;
}

function parameters(): URLSearchParams {
  return new URLSearchParams(location.hash.slice(1));
}

/** Returns the place of the open question; -1 if none is open. */
function openPlace(): number {
  return places.get(parameters().get('q') ?? '') ?? -1;
}

function showCurrent(): void {
  const place = openPlace();
  for (const link of list.querySelectorAll('a')) {
    const isOpen = link.dataset.place === String(place);
    link.ariaCurrent = isOpen ? 'true' : null;
    if (isOpen) link.scrollIntoView({ block: 'nearest' });
  }
}

/** Shows what the address names: figures, the list, or a question beside the list. */
function follow(): void {
  const place = openPlace();
  const isList = place !== -1 || parameters().has('questions');
  if (isList !== figures.hidden) scrollTo(0, 0);
  figures.hidden = isList;
  browser.hidden = !isList;
  browser.dataset.open = String(place !== -1);
  find('#to-figures').ariaCurrent = isList ? null : 'page';
  find('#to-questions').ariaCurrent = isList ? 'page' : null;
  const at = shown.indexOf(place);
  if (at !== -1 && Math.floor(at / PAGE) !== page) {
    page = Math.floor(at / PAGE);
    render();
  }
  showCurrent();
}

/** Opens the next question of those shown, or the one before. */
function step(by: number): void {
  const at = shown.indexOf(openPlace());
  const row = index.rows[shown[at === -1 ? page * PAGE : at + by] ?? -1];
  if (row) location.hash = addressOf(row);
}

function turn(by: number): void {
  page += by;
  render();
  list.parentElement?.scrollTo(0, 0);
}

function onKey(event: KeyboardEvent): void {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const isField = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
  const isTyping = isField && !target.matches('[type=checkbox], [type=radio]');
  if (key === 'Escape') {
    if (target === search && search.value !== '') {
      search.value = '';
      changed();
    } else if (isTyping) target.blur();
    else if (openPlace() !== -1) close();
    return;
  }
  if (target === search && (key === 'Enter' || key === 'ArrowDown')) {
    event.preventDefault();
    search.blur();
    step(1);
  }
  if (isTyping) return;
  if (key === '/') {
    event.preventDefault();
    if (browser.hidden) location.hash = listAddress();
    // The change of the address, which comes later, shows the list.
    setTimeout(() => search.focus());
    return;
  }
  if (browser.hidden) return;
  const inList = list.contains(target as Node) || target === document.body;
  const isNext = key === 'j' || (key === 'ArrowDown' && inList);
  const isPrevious = key === 'k' || (key === 'ArrowUp' && inList);
  if (!isNext && !isPrevious) return;
  event.preventDefault();
  step(isNext ? 1 : -1);
}

function close(): void {
  const place = openPlace();
  location.hash = listAddress();
  // On a phone the list is hidden until the address has changed.
  setTimeout(() => list.querySelector<HTMLAnchorElement>(`a[data-place="${place}"]`)?.focus());
}

form.addEventListener('input', changed);
find('#back').addEventListener('click', () => turn(-1));
find('#forth').addEventListener('click', () => turn(1));
find('#previous').addEventListener('click', () => step(-1));
find('#next').addEventListener('click', () => step(1));
find('#close').addEventListener('click', close);
form.addEventListener('submit', (event) => event.preventDefault());
document.addEventListener('keydown', onKey);
/** Applies an address that was followed or typed. */
function arrive(): void {
  const before = chosen();
  const address = parameters();
  if (address.has('q') || address.has('questions')) {
    choose(address);
    if (chosen() !== before) update();
  }
  follow();
}

addEventListener('hashchange', arrive);
choose(parameters());
update();
follow();
