/** The pages in the order in which they are read: path below docs/, and what the sidebar calls it. */
export const groups: { text: string; pages: Record<string, string> }[] = [
  {
    text: 'Begin',
    pages: { start: 'Start', concepts: 'Concepts', guarantees: 'Guarantees', measured: 'Measured' },
  },
  {
    text: 'Methods',
    pages: {
      methods: 'All methods',
      'methods/sure': 'SuRe',
      'methods/allies': 'ALLIES',
      'methods/llatrieval': 'LLatrieval',
      'methods/genread': 'GenRead',
      'methods/chain-of-note': 'Chain-of-Note',
      'methods/ircot': 'IRCoT',
      'methods/iter-retgen': 'ITER-RETGEN',
      baselines: 'Baselines',
      input: 'Input',
      result: 'Result',
    },
  },
  {
    text: 'Evaluate',
    pages: {
      runs: 'Runs',
      datasets: 'Data sets',
      metrics: 'Metrics',
      report: 'Report',
      studies: 'Studies',
      'what-if': 'What would have been',
      rates: 'Rates',
      'half-price': 'Half price',
      'results-folder': 'Where results are kept',
    },
  },
  {
    text: 'Build your own',
    pages: {
      'adding-a-method': 'A method or a step',
      'adding-a-metric': 'A metric',
      ports: 'A model, a search, a store',
      adapters: 'Models and endpoints, searches',
      programs: 'Programs',
      architecture: 'Architecture',
    },
  },
  {
    text: 'Operate',
    pages: {
      'command-line': 'Command line',
      settings: 'Settings',
      deploy: 'Deploy',
      operate: 'What to do when',
      observability: 'Observe',
      'search-engines': 'Search engines',
      security: 'Security',
    },
  },
  {
    text: 'Reference',
    pages: {
      'reference/commands': 'Commands',
      'reference/input': 'Fields of the inputs',
      'reference/options': 'Methods and options',
      'reference/steps': 'Steps and types of output',
      'reference/settings': 'Settings',
      'reference/datasets': 'Data sets',
      'reference/failures': 'Failures',
      'reference/series': 'Series of a worker',
      'reference/licences': 'Licences',
    },
  },
];
