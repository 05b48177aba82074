/** Stores texts that grow by turns as pieces, each of which refers to the one before it. */
import { englishLength } from '../core/estimate.js';
import { type ContentStore, contentId } from './content-store.js';

/** A stored piece of a transcript. */
interface Piece {
  /** The key of the piece before it; null for the first. */
  before: string | null;
  text: string;
}

/** Maximum number of characters of whole transcripts that are cached in memory. */
const MOST_REMEMBERED = 32_000_000;

/**
 * A store of transcripts: texts that grow by turns. The key of the last piece identifies the whole
 * text. It is derived from the content and the key of the piece before, so that equal transcripts
 * made of equal pieces have equal keys.
 */
export class Transcripts {
  /** The newest last. */
  readonly #whole = new Map<string, string>();
  #remembered = 0;

  constructor(private readonly texts: Pick<ContentStore, 'get' | 'put'>) {}

  /**
   * Returns the text up to a piece; an empty one for null.
   *
   * @throws Failure UnknownText when a piece is not in the store.
   */
  async text(key: string | null): Promise<string> {
    const parts: string[] = [];
    for (let at = key; at !== null; ) {
      const whole = this.#whole.get(at);
      if (whole !== undefined) {
        parts.push(whole);
        break;
      }
      const { before, text } = await this.#piece(at);
      parts.push(text);
      at = before;
    }
    const text = parts.reverse().join('');
    if (key !== null) this.#remember(key, text);
    return text;
  }

  /** Returns the text of a piece alone. @throws Failure UnknownText when it is not in the store. */
  async lastPiece(key: string): Promise<string> {
    return (await this.#piece(key)).text;
  }

  async #piece(key: string): Promise<Piece> {
    return JSON.parse(await this.texts.get(key)) as Piece;
  }

  /**
   * Appends a text to a transcript as a new piece.
   *
   * @param before Key of the last piece; null for a new transcript.
   * @returns The key of the new piece, once it survives a crash; `before` if the text is empty.
   * @throws Failure UnknownText when a piece before it is not in the store.
   */
  async add(before: string | null, text: string): Promise<string | null> {
    if (text === '') return before;
    const whole = (await this.text(before)) + text;
    const piece: Piece = { before, text };
    const key = await this.texts.put(JSON.stringify(piece));
    if (before !== null) this.#forget(before);
    this.#remember(key, whole);
    return key;
  }

  #remember(key: string, text: string): void {
    this.#forget(key);
    this.#whole.set(key, text);
    this.#remembered += text.length;
    for (const oldest of this.#whole.keys()) {
      if (this.#remembered <= MOST_REMEMBERED) return;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    this.#remembered -= this.#whole.get(key)?.length ?? 0;
    this.#whole.delete(key);
  }
}

/**
 * The transcripts of a dry run: they read earlier pieces from a store, and keep new ones in memory
 * only.
 */
export class PlannedTranscripts extends Transcripts {
  readonly #lengths = new Map<string, number>();

  /**
   * @param texts Store of the pieces of earlier calls. A piece that is in neither place is read as
   * an empty text.
   */
  constructor(texts?: Pick<ContentStore, 'get'>) {
    super(inMemory(texts));
  }

  override async add(before: string | null, text: string): Promise<string | null> {
    const key = await super.add(before, text);
    if (key !== null && text !== '') {
      const known = before === null ? 0 : this.#lengths.get(before);
      const length = known ?? englishLength(await this.text(before));
      this.#lengths.set(key, length + englishLength(text));
    }
    return key;
  }

  /**
   * Returns the length of a transcript in characters of English with as many tokens; undefined if
   * it was not added here.
   */
  lengthOf(key: string): number | undefined {
    return this.#lengths.get(key);
  }
}

/** The piece that is returned for an unknown key. */
const NOTHING: Piece = { before: null, text: '' };

function inMemory(texts?: Pick<ContentStore, 'get'>): Pick<ContentStore, 'get' | 'put'> {
  const written = new Map<string, string>();
  return {
    async put(text) {
      const id = contentId(text);
      written.set(id, text);
      return id;
    },
    async get(id) {
      return written.get(id) ?? (await texts?.get(id)) ?? JSON.stringify(NOTHING);
    },
  };
}
