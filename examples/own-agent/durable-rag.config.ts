/** Found by the command line in this folder; a worker of your own takes the same options. */
import { defineConfig } from 'durable-rag/config';
import { agent } from './agent.js';

export default defineConfig({ methods: [agent] });
