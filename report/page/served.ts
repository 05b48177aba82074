/**
 * Functions of a page with a server: following runs, showing prompts and replies, marking answers.
 */
interface Asked {
  prompt: string | null;
  reply: string | null;
}

/** Milliseconds between checks of runs that are running, and of ended ones. */
const POLL = { underWay: 3000, ended: 30_000 };
/** Text for a prompt or reply that the server no longer has. */
const GONE = '(no longer available: it has been deleted, or its sources have changed)';

const status = Object.assign(document.createElement('output'), { className: 'note' });
document.querySelector('header nav')?.after(status);

function complain(error: unknown): void {
  status.textContent = String(error);
}

function button(label: string, act: () => Promise<void>): HTMLButtonElement {
  const text = { type: 'button', textContent: label };
  const made = Object.assign(document.createElement('button'), text);
  made.addEventListener('click', async () => {
    made.disabled = true;
    await act().catch(complain);
    made.disabled = false;
  });
  return made;
}

/** Asks the server; its refusals are errors. */
async function ask<T>(what: string, body?: object): Promise<T> {
  const sent = body && {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  };
  const response = await fetch(what, sent);
  const reply = await response.json();
  if (!response.ok) throw new Error(reply.message ?? `The server says ${response.status}.`);
  return reply as T;
}

let version: string | undefined;

/** Reloads the page when its runs have more answers, unless a note is being written. */
async function follow(): Promise<void> {
  let wait = POLL.ended;
  try {
    const current = await ask<{ version: string; hasEnded: boolean }>('version');
    version ??= current.version;
    status.textContent = current.hasEnded ? '' : 'under way';
    if (!current.hasEnded) wait = POLL.underWay;
    const isWriting = document.activeElement?.matches('input, textarea') ?? false;
    if (current.version !== version && !isWriting) location.reload();
  } catch {
    status.textContent = 'The server has ended: this is what was there.';
  }
  setTimeout(follow, wait);
}

/** Puts the prompt and the reply of a call below it. */
function rawButton(card: HTMLElement, { run = '', id = '' }: DOMStringMap): void {
  const more = button('Prompt and reply', async () => {
    const search = new URLSearchParams({ run, id, call: card.dataset.call ?? '' });
    const asked = await ask<Asked[]>(`raw?${search}`);
    const parts = asked.flatMap(({ prompt, reply }) => [prompt ?? GONE, reply ?? GONE]);
    const shown = parts.map((textContent) =>
      Object.assign(document.createElement('pre'), { textContent }),
    );
    more.replaceWith(...(shown.length > 0 ? shown : ['It asked no model.']));
  });
  card.append(more);
}

/** Returns the buttons and the field for a person's verdict on an answer. */
function markForm({ run, id, of, says: said, note: noted = '' }: DOMStringMap): HTMLElement {
  const form = Object.assign(document.createElement('div'), { className: 'row marking' });
  const field = { value: noted, placeholder: 'Note', ariaLabel: 'Note' };
  const note = Object.assign(document.createElement('input'), field);
  let says = said || null;
  const buttons = ['right', 'wrong'].map((verdict) =>
    button(verdict, () => keep(says === verdict ? null : verdict)),
  );
  const show = () => {
    for (const one of buttons) one.ariaPressed = String(one.textContent === says);
  };
  async function keep(verdict: string | null): Promise<void> {
    await ask('mark', { run, id, of, says: verdict, note: note.value.trim() });
    says = verdict;
    show();
    status.textContent = 'kept';
  }
  note.addEventListener('change', () => keep(says).catch(complain));
  show();
  form.append('The answer is ', ...buttons, note);
  return form;
}

document.querySelector('#question')?.addEventListener('shown', () => {
  for (const panel of document.querySelectorAll<HTMLElement>('.panel[data-run]')) {
    panel.querySelector('.answer')?.after(markForm(panel.dataset));
    for (const card of panel.querySelectorAll<HTMLElement>('[data-call]')) {
      rawButton(card, panel.dataset);
    }
  }
});

void follow();

export {};
