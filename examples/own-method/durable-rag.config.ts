/** Found by the command line in this folder; a worker of your own takes the same options. */
import { defineConfig } from 'durable-rag/config';
import { lookTwice } from './method.js';
import { secondLook } from './step.js';

export default defineConfig({
  methods: [lookTwice],
  steps: [secondLook],
  workflows: new URL('./workflow.ts', import.meta.url),
});
