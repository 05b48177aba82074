/** Found by the command line in this folder; a worker of your own takes the same options. */
import { defineConfig } from 'durable-rag/config';
import { grounded, helpful } from './metrics.js';

export default defineConfig({ metrics: [grounded, helpful] });
