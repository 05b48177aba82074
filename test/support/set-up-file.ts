/** Runs before each test file. */
import { afterAll } from 'vitest';
import { endFile } from './folder.js';

afterAll(endFile);
