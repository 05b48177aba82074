/** The docs as a site: the pages of ../docs as they are, with a search that needs no network. */
import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { groups } from './pages.js';

const docs = fileURLToPath(new URL('../../docs/', import.meta.url));

export default defineConfig({
  title: 'durable-rag',
  description: 'Published multi-step question-answering methods as durable Temporal workflows',
  srcDir: '../docs',
  outDir: './dist',
  rewrites: { 'start.md': 'index.md' },
  cleanUrls: true,
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: groups.map(({ text, pages }) => ({
      text,
      items: Object.entries(pages).map(([page, title]) => ({
        text: title,
        link: page === 'start' ? '/' : `/${page}`,
      })),
    })),
  },
  markdown: {
    config(markdown) {
      // Files of the repository outside of docs/ are no pages of the site: their names stay as text.
      markdown.core.ruler.push('leave-repository-links', ({ tokens, env }) => {
        for (const { children } of tokens) {
          let isLeft = false;
          for (const token of children ?? []) {
            if (token.type === 'link_open') isLeft = leadsOut(token.attrGet('href'), env.path);
            // Placeholders of prompts are no expressions of the page.
            if (token.type === 'code_inline') token.attrSet('v-pre', '');
            if (isLeft && token.type.startsWith('link_')) {
              token.hidden = true;
              token.tag = 'span';
              token.attrs = null;
            }
            if (token.type === 'link_close') isLeft = false;
          }
        }
      });
    },
  },
});

function leadsOut(href: string | null, page: string): boolean {
  if (!href || /^[a-z]+:|^#/.test(href)) return false;
  const [path = ''] = href.split('#');
  const file = normalize(join(dirname(page), decodeURI(path)));
  return !file.startsWith(docs) || !existsSync(file) || !file.endsWith('.md');
}
