/** The fields of one data set line: what was read of them, and what is left. Pure. */
import type { z } from 'zod';
import { inOurWords, withoutWords } from '../../methods/options/checked.js';
import { plainName, ROLE_FIELDS, type Role } from './fields.js';

/** What is wrong with a line; the message begins with the field. */
export class BadField extends Error {}

export interface Field {
  name: string;
  value: unknown;
}

/** Fields without a value (null, as Parquet and pandas write it) are not there. */
export class Line {
  readonly #fields: Field[];
  readonly #byName = new Map<string, Field>();
  readonly #read = new Map<Field, string>();

  /** @param cells Whether the values are the cells of a table, which are all text. */
  constructor(
    value: object,
    readonly cells = false,
  ) {
    this.#fields = Object.entries(value)
      .filter(([, field]) => field !== null && field !== undefined)
      .map(([name, field]) => ({ name, value: field }));
    // What is written exactly so goes first; of names that only differ in case the first one.
    for (const field of this.#fields) {
      const plain = plainName(field.name);
      if (!this.#byName.has(plain)) this.#byName.set(plain, field);
    }
    for (const field of this.#fields) this.#byName.set(field.name, field);
  }

  /** The field of this name: as it is written, else without regard to case and separators. */
  find(name: string): Field | undefined {
    return this.#byName.get(name) ?? this.#byName.get(plainName(name));
  }

  /** The fields of a role in the order of preference. */
  ofRole(role: Role): Field[] {
    const found = ROLE_FIELDS[role].map((name) => this.find(name));
    return [...new Set(found.filter((field) => field !== undefined))];
  }

  /** Remembers that a field was read, and as what. */
  read(field: Field, as: string): unknown {
    this.#read.set(field, as);
    return field.value;
  }

  /** The value of a field under one of its names, read as the first of them. */
  take<T>(schema: z.ZodType<T>, ...names: [string, ...string[]]): T | undefined {
    for (const name of names) {
      const field = this.find(name);
      if (field) return check(schema, this.read(field, names[0]), field.name);
    }
    return undefined;
  }

  isRead(field: Field): boolean {
    return this.#read.has(field);
  }

  /** The fields that nothing was read of. */
  rest(): Field[] {
    return this.#fields.filter((field) => !this.#read.has(field));
  }

  /** By what was read the names of the fields it was read from. */
  sources(): Record<string, string[]> {
    const sources: Record<string, string[]> = {};
    for (const [{ name }, as] of this.#read) {
      sources[as] ??= [];
      sources[as].push(name);
    }
    return sources;
  }
}

/** @throws BadField with the path to what does not fit. */
export function check<T>(schema: z.ZodType<T>, value: unknown, field: string): T {
  const parsed = schema.safeParse(value, { error: inOurWords(schema, withoutWords) });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = [field, ...(issue?.path ?? [])].join('.');
  throw new BadField(`${path}: ${issue?.message}`);
}
