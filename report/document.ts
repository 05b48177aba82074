/** The page around the figures and the questions. Pure. */
import type { MethodRegistry } from '../core/registry.js';
import type { RunsEvaluation } from '../evaluation/runs/evaluate-runs.js';
import { count } from '../evaluation/runs/numbers.js';
import { QUESTION_STATES } from '../evaluation/runs/question-state.js';
import type { Assets } from './assets.js';
import { html, Markup, scriptJson } from './html.js';
import type { QuestionIndex } from './page-data.js';
import { differenceSections } from './sections/differences.js';
import { costSection, stepSection, timeSection } from './sections/effort.js';
import { manifestSection } from './sections/manifests.js';
import { failureSection, flagSection, outcomeSection } from './sections/outcomes.js';
import { scoreSections } from './sections/scores.js';
import { sweepSection } from './sections/sweeps.js';

/** Everything before the pages of the questions. */
export function documentHead(
  evaluation: RunsEvaluation,
  index: QuestionIndex,
  { style, policy, methods }: Pick<Assets, 'style' | 'policy'> & { methods: MethodRegistry },
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
${figures(evaluation, title, methods)}
${questionBrowser(evaluation, index)}
<script type="application/json" id="index">${scriptJson(index)}</script>
`;
}

function titleOf({ runs }: RunsEvaluation): string {
  const names = runs.map(({ manifest }) => manifest.run);
  return names.length > 3 ? `${names.length} runs` : names.join(', ');
}

/** Returns the end of the document. */
export function documentTail({ scripts }: Pick<Assets, 'scripts'>): Markup {
  return html`${scripts.map((script) => html`<script type="module">${new Markup(script)}</script>\n`)}</body>
</html>
`;
}

function figures(evaluation: RunsEvaluation, title: string, methods: MethodRegistry): Markup {
  const { runs, questions } = evaluation;
  const files = [...new Set(runs.map(({ manifest }) => manifest.dataset.file))];
  return html`<main id="figures">
<div class="heading"><h1>${title}</h1>
<p>${count(questions)} questions of ${files.join(', ')}</p></div>
${scoreSections(evaluation)}
${differenceSections(evaluation)}
${outcomeSection(evaluation)}
${costSection(evaluation)}
${stepSection(evaluation)}
${timeSection(evaluation)}
${sweepSection(evaluation)}
${failureSection(evaluation)}
${flagSection(evaluation)}
${manifestSection(evaluation, methods)}
</main>`;
}

function questionBrowser({ runs }: RunsEvaluation, { rows }: QuestionIndex): Markup {
  const options = runs.map(
    ({ manifest }, i) => html`<option value="${i}">${manifest.run}</option>`,
  );
  return html`<main id="questions" hidden data-open="false">
<form id="filters" role="search">
<input id="search" type="search" placeholder="Search questions, answers, ids" aria-label="Search questions, answers, ids" autocomplete="off" title="Press / to search">
<div class="runs"${runs.length === 1 && html` hidden`}>
<label>Run <select id="run">${options}</select></label>
<label>against <select id="against"><option value="">no other run</option>${options}</select></label>
<select id="disagreement" aria-label="How the two runs disagree" disabled><option value="either">one is right</option><option value="first">only the first is right</option><option value="second">only the second is right</option><option value="answers">different answers</option></select>
</div>
<fieldset class="states"><legend class="unseen">How the question ended</legend>${QUESTION_STATES.map(
    (state) =>
      html`<label class="${state}"><input type="checkbox" value="${state}"><span>${state} <span class="count"></span></span></label>`,
  )}</fieldset>
</form>
<div class="panes">
<div class="index"><ol id="list" aria-label="Questions"></ol>
<div class="pager"><button id="back" type="button" aria-label="Page before">‹</button><output id="found" for="search">${count(rows.length)}</output><button id="forth" type="button" aria-label="Next page">›</button></div></div>
<div class="reader"><div class="bar"><button id="close" type="button">‹ All questions</button><span class="keys"><kbd>j</kbd> <kbd>k</kbd> next, previous · <kbd>/</kbd> search · <kbd>Esc</kbd> back</span><button id="previous" type="button" aria-label="Previous question">↑</button><button id="next" type="button" aria-label="Next question">↓</button></div>
<p id="opened" class="unseen" role="status"></p>
<article id="question" tabindex="-1" aria-label="Question"></article></div>
</div>
<template id="row"><li><a><span class="asked"></span><span class="line"><span class="marks"></span><span class="said"></span></span><span class="gold"></span></a></li></template>
</main>`;
}
