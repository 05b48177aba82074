/** Renders the page around the figures and the questions. Pure. */
import type { MethodRegistry } from '../core/method-registry.js';
import type { RunsEvaluation } from '../evaluation/runs/evaluate-runs.js';
import { count, plural } from '../evaluation/runs/number-text.js';
import { QUESTION_STATES } from '../evaluation/runs/question-state.js';
import type { TuneTable } from '../evaluation/tune/tune-table.js';
import type { Assets } from './assets.js';
import type { ShownData } from './data-sets.js';
import { html, Markup, scriptJson } from './html.js';
import type { IndexRow, IndexRun, QuestionIndex } from './page-data.js';
import { dataSetSection, type SectionExtras } from './sections/data-set.js';
import { forkSection } from './sections/differences.js';
import { manifestSection } from './sections/manifests.js';
import { type MarkedAnswer, markSection } from './sections/marks.js';
import { failureSection } from './sections/outcomes.js';
import { basisChoice } from './sections/scores.js';
import { tuneSection } from './sections/tunes.js';

interface Head extends SectionExtras {
  methods: MethodRegistry;
  marked: readonly MarkedAnswer[];
  tunes?: readonly TuneTable[];
}

/**
 * Returns, as `Markup`, the part of the report's file before the pages of the questions: the
 * figures, the empty list of questions, and the list's data.
 */
export function documentHead(
  evaluation: RunsEvaluation,
  data: readonly ShownData[],
  index: QuestionIndex,
  { style, policy, ...shown }: Pick<Assets, 'style' | 'policy'> & Head,
): Markup {
  const title = titleOf(evaluation);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${new Markup(style)}</style>
</head>
<body>
<header class="top">
<nav aria-label="Parts of the report"><a id="to-figures" href="#figures">Figures</a><a id="to-questions" href="#questions">Questions</a></nav>
<button id="theme" type="button" aria-label="Dark" aria-pressed="false" title="Light or dark">◐</button>
</header>
${figures(evaluation, data, index, shown)}
${questionBrowser(index)}
<script type="application/json" id="index">${scriptJson(index)}</script>
`;
}

function titleOf({ runs }: RunsEvaluation): string {
  const names = runs.map(({ manifest }) => manifest.run);
  return names.length > 3 ? `${names.length} runs` : names.join(', ');
}

function figures(
  evaluation: RunsEvaluation,
  data: readonly ShownData[],
  { rows, runs: named }: QuestionIndex,
  { methods, marked, tunes = [], ...beside }: Head,
): Markup {
  const { runs, questions, notes } = evaluation;
  const mostSplit = [...rows].sort((a, b) => b.split - a.split);
  const ownRows = (at: number) => mostSplit.filter((row) => row.data === at);
  const hasScores = data.some(({ main }) => main !== undefined);
  return html`<main id="figures">
<div><h1>${titleOf(evaluation)}</h1>
<p class="lead">${plural(questions, 'question')} of ${plural(data.length, 'data set')}${data.length > 1 && html`: ${data.map((one, i) => html`${i > 0 && ', '}<a href="#${one.id}">${one.title}</a>`)}`}</p></div>
${tunes.map(tuneSection)}
${hasScores && basisChoice()}
${data.map((one, at) => dataSetSection(one, ownRows(at), evaluation.cells.length, beside))}
${markSection(marked, named)}
${failureSection(data)}
${forkSection(evaluation)}
${notes.length + runs.length > 0 && noteSection([...notes, ...noiseNotes(runs)])}
${manifestSection(evaluation, methods)}
</main>`;
}

function noteSection(notes: readonly string[]): Markup | undefined {
  if (notes.length === 0) return undefined;
  const shown = html`${notes.map((note) => html`<p class="note">${note}</p>`)}`;
  return html`<section id="notes"><h2>Notes</h2>${notes.length > NOTES ? html`<details class="part"><summary><h3>${count(notes.length)} notes</h3></summary>${shown}</details>` : shown}</section>`;
}

/** Number of notes above which they are folded. */
const NOTES = 5;

/** Returns notes on runs that did not get their share of noise. */
function noiseNotes(runs: RunsEvaluation['runs']): string[] {
  return runs.flatMap(({ manifest: { run, noise } }) =>
    noise && noise.incomplete > 0
      ? [
          `In ${run} ${plural(noise.incomplete, 'question')} had too few passages of one kind, so the share of noise is different.`,
        ]
      : [],
  );
}

/** Returns the list of questions with its filters, beside the open question. */
function questionBrowser(index: QuestionIndex): Markup {
  return html`<main id="questions" hidden data-open="false">
${filters(index)}
<div class="panes">
${questionList(index.rows.length)}
${openQuestion()}
</div>
${rowTemplate()}
</main>`;
}

function filters({ runs, data }: QuestionIndex): Markup {
  const option = ({ name, run }: IndexRun) => html`<option value="${run}">${name}</option>`;
  const options =
    data.length === 1
      ? runs.map(option)
      : data.map(
          (title, at) =>
            html`<optgroup label="${title}">${runs.map((run) => run.data === at && option(run))}</optgroup>`,
        );
  const states = QUESTION_STATES.map(
    (state) =>
      html`<label class="${state}"><input type="checkbox" name="state" value="${state}"><span>${state} <span class="count"></span></span></label>`,
  );
  return html`<form id="filters" class="row" role="search">
<input id="search" name="find" type="search" placeholder="Search questions, answers, ids" aria-label="Search questions, answers, ids" autocomplete="off" title="Press / to search">
<div class="row"${runs.length === 1 && html` hidden`}>
<label>Run <select id="run" name="run">${options}</select></label>
<label>against <select id="against" name="against"><option value="">no other run</option>${options}</select></label>
<select id="disagreement" name="how" aria-label="How the two runs disagree" disabled><option value="either">one is right</option><option value="first">only the first is right</option><option value="second">only the second is right</option><option value="answers">different answers</option></select>
<select id="order" name="order" aria-label="Order"><option value="split">most disagreement first</option><option value="file">in the order of the data set</option></select>
</div>
<fieldset class="states"><legend class="unseen">How the question ended</legend>${states}</fieldset>
</form>`;
}

function questionList(questions: number): Markup {
  return html`<div class="index"><ol id="list" aria-label="Questions"></ol>
<div class="note pager"><button id="back" type="button" aria-label="Page before">‹</button><output id="found" for="search">${count(questions)}</output><button id="forth" type="button" aria-label="Next page">›</button></div></div>`;
}

function openQuestion(): Markup {
  return html`<div class="reader"><div class="note pager"><button id="close" type="button">‹ All questions</button><span class="keys"><kbd>j</kbd> <kbd>k</kbd> next, previous · <kbd>/</kbd> search · <kbd>Esc</kbd> back</span><button id="previous" type="button" aria-label="Previous question">↑</button><button id="next" type="button" aria-label="Next question">↓</button></div>
<p id="opened" class="unseen" role="status"></p>
<article id="question" tabindex="-1" aria-label="Question"></article></div>`;
}

/** Returns the template of a list row, which the page's script fills. */
function rowTemplate(): Markup {
  return html`<template id="row"><li><a><span class="asked"></span><span class="line"><span class="row marks"></span><span class="note said"></span></span><span class="note gold"></span></a></li></template>`;
}

/**
 * Returns, as `Markup`, the part of the report's file after the pages of the questions: the
 * scripts.
 */
export function documentTail({ scripts }: Pick<Assets, 'scripts'>): Markup {
  return html`${scripts.map((script) => html`<script type="module">${new Markup(script)}</script>\n`)}</body>
</html>
`;
}

/**
 * Returns the data of the list of questions on the report's page: the runs with their names and
 * colours (`runs`), the titles of the data sets (`data`), and the given rows (`rows`).
 *
 * @param stored For each run, its name in the store.
 */
export function questionIndex(
  evaluation: RunsEvaluation,
  data: readonly ShownData[],
  rows: IndexRow[],
  stored: readonly string[],
): QuestionIndex {
  const runs = indexRuns(evaluation, data, stored);
  return { runs, data: data.map(({ title }) => title), rows };
}

/** Returns the runs, named like their cells. */
function indexRuns(
  { runs }: RunsEvaluation,
  data: readonly ShownData[],
  stored: readonly string[],
): IndexRun[] {
  const named = data.flatMap(({ cells }, at) =>
    cells.flatMap(({ cell, label, colour }) =>
      cell.runs.map((position, repeat) => {
        const name = cell.runs.length > 1 ? `${label}, repeat ${repeat + 1}` : label;
        return [position, { name, colour, data: at }] as const;
      }),
    ),
  );
  const names = new Map(named);
  return runs.map(({ manifest }, position) => ({
    run: manifest.run,
    stored: stored[position] ?? manifest.run,
    ...(names.get(position) ?? { name: manifest.run, colour: '', data: 0 }),
  }));
}
