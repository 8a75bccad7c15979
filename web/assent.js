/**
 * A small client of Assent for web pages: asks, waits, follows the log, answers. One file, no dependencies, no build step.
 *
 *     import { Assent } from './assent.js';
 *
 *     const assent = new Assent({ url: 'https://consent.example', token: () => fetch('/token').then((reply) => reply.json()) });
 *     const question = await assent.ask({ person: 'p-1', topic: { kind: 'purchase', product: 'stickers' }, description: 'Stickers' });
 *     const decided = await assent.settled(question);
 *
 * A page never holds an app's key: its token comes from the app's own back end (`POST /v1/tokens`). What a page may do is what its
 * token names. Every call takes an `AbortSignal`; every refusal is an `AssentProblem`.
 *
 * @module assent
 */

/**
 * @typedef {string | {token: string, expiresAt?: string}} Token
 *   A token, or the reply of `POST /v1/tokens` as it is.
 * @typedef {{signal?: AbortSignal}} CallOptions
 * @typedef {{signal?: AbortSignal, idempotencyKey?: string}} WriteOptions
 *   `idempotencyKey`: for a write that must stay the same over a reload of the page; else each call makes its own.
 * @typedef {{person?: string, question?: string, types?: string[]}} StreamFilter
 *   What of the log a stream brings; `types` are names or families such as `question.*`.
 * @typedef {'connecting' | 'open' | 'waiting' | 'closed'} StreamState
 * @typedef {object} StreamOptions
 * @property {(event: object) => void} [onEvent] told each event once, in order.
 * @property {(cursor: string) => void} [onReset] told that events were missed for good: read anew what you show.
 * @property {(state: StreamState) => void} [onState]
 * @property {(error: Error | null) => void} [onEnd] told once, when the stream is over: why it cannot go on, or null where it was closed.
 * @property {string} [after] the id of the last event that is known; without it the stream begins now.
 * @property {AbortSignal} [signal] closes the stream.
 */

/** The types of events; a test holds them against the contract. A browser's `EventSource` listens to types by their names only. */
export const EVENT_TYPES = Object.freeze([
  'account.registered', 'acknowledgment.created', 'ageRating.baselineSet', 'ageRating.changed', 'app.updated', 'change.registered', 'change.updated',
  'change.withdrawn', 'guardian.linked', 'guardian.unlinked', 'key.created', 'key.revoked', 'notification.quarantined',
  'notification.received', 'notification.unattributed', 'person.erased', 'person.reinstated',
  'person.rescinded', 'person.updated', 'question.answered', 'question.approved', 'question.cancelled', 'question.created',
  'question.denied', 'question.expired', 'question.expiring', 'question.pending', 'question.revoked', 'question.superseded',
  'webhookEndpoint.disabled',
]);

/** Anything that goes wrong here. */
export class AssentError extends Error {
  /** @param {string} message @param {ErrorOptions} [options] */
  constructor(message, options) {
    super(message, options);
    this.name = this.constructor.name;
  }
}

/** No answer, however often it was tried; `cause` is what the last attempt ended in. */
export class AssentUnreachable extends AssentError {}

/** The server's refusal: a problem document (RFC 9457). */
export class AssentProblem extends AssentError {
  /** @param {number} status @param {Record<string, any>} document @param {Headers} headers */
  constructor(status, document, headers) {
    super(document.detail ?? document.title ?? `HTTP status ${status}`);
    /** The HTTP status. */
    this.status = status;
    /** What it is, by a name that never changes: `question-expired`, `denied-recently`, … Empty where no problem document came. */
    this.slug = String(document.type ?? '').split('/problems/')[1] ?? '';
    /** A stable name of why, where one slug has several. @type {string | null} */
    this.reason = document.reason ?? null;
    /** Each wrong field of the body. @type {{pointer: string, detail: string}[]} */
    this.errors = document.errors ?? [];
    /** The resource as it stands, in a conflict. @type {object | null} */
    this.current = document.current ?? null;
    /** Seconds after which to come again. @type {number | null} */
    this.retryAfter = secondsUntil(headers.get('Retry-After') ?? '');
    /** What to tell the server's operators. @type {string | null} */
    this.requestId = headers.get('X-Request-Id');
    /** The whole document. */
    this.document = document;
  }
}

/** One server, for one page and what its token allows. */
export class Assent {
  #url;
  #fetch;
  #EventSource;
  #attempts;
  #source;
  /** @type {{token: string, renewAt: number} | null} */
  #held = null;
  /** @type {Promise<string> | null} */
  #renewal = null;
  /** Where what was read stands, and the entity tag it had. @type {WeakMap<object, {path: string, tag: string | null}>} */
  #read = new WeakMap();

  /**
   * @param {object} options
   * @param {string} options.url where the server is, without `/v1`.
   * @param {Token | (() => Token | Promise<Token>)} options.token a token, or a function that gets one; that is called when there is
   *   none yet, shortly before the last one expires, and after a 401.
   * @param {number} [options.attempts] how often a call is tried before it fails as unreachable or with its last problem.
   * @param {typeof fetch} [options.fetch]
   * @param {typeof EventSource} [options.EventSource]
   */
  constructor({ url, token, attempts = 5, fetch = globalThis.fetch, EventSource = globalThis.EventSource }) {
    this.#url = url.replace(/\/+$/, '');
    this.#source = token;
    this.#attempts = attempts;
    this.#fetch = fetch.bind(globalThis);
    this.#EventSource = EventSource;
  }

  // Questions

  /**
   * Asks a guardian, or finds the question that stands already (then it has `existing: true`).
   *
   * @param {object} question `person`, `topic`, `description`, … as the body of `POST /v1/questions`.
   * @param {WriteOptions} [options]
   * @returns {Promise<object>} the question.
   */
  ask(question, options) {
    return this.#write('/v1/questions', question, options, (made) => questionPath(made));
  }

  /** @param {string} id @param {CallOptions} [options] @returns {Promise<object>} the question as it is now. */
  question(id, options) {
    return this.#get(questionPath({ id }), options);
  }

  /**
   * A page of questions.
   *
   * @param {Record<string, string | number>} [filter] `state`, `person`, `guardian`, `topic`, `change`, `limit`, `cursor`, …
   * @param {CallOptions} [options]
   * @returns {Promise<{data: object[], nextCursor: string | null}>}
   */
  questions(filter = {}, options) {
    const query = new URLSearchParams(Object.entries(filter).map(([name, value]) => [name, String(value)]));
    return this.#get(`/v1/questions${query.size ? `?${query}` : ''}`, options);
  }

  /**
   * A guardian's answer; they may change their mind with another one.
   *
   * @param {{id: string} | string} question
   * @param {{guardian: string, answer: 'approval' | 'denial', reason?: string, verification?: object}} answer
   * @param {WriteOptions} [options]
   * @returns {Promise<object>} the question.
   */
  answer(question, answer, options) {
    const path = questionPath(question);
    return this.#write(`${path}/answers`, answer, options, () => path);
  }

  /**
   * Takes a question back that still waits.
   *
   * @param {{id: string} | string} question @param {{reason?: string} & WriteOptions} [options] @returns {Promise<object>}
   */
  cancel(question, { reason, ...options } = {}) {
    const path = questionPath(question);
    return this.#write(`${path}/cancellation`, reason === undefined ? {} : { reason }, options, () => path);
  }

  // Access

  /** What a person may do now, and why. @param {string} person @param {CallOptions} [options] @returns {Promise<object>} */
  access(person, options) {
    return this.#get(`/v1/persons/${encodeURIComponent(person)}/access`, options);
  }

  // Waiting

  /**
   * Waits until something is not any more as it was read: a question or a decision about access that came from this object. Comes
   * through restarts of the server; without a signal it waits as long as it takes.
   *
   * @template {object} T
   * @param {T} known
   * @param {CallOptions & {seconds?: number}} [options] `seconds`: how long the server holds each request, up to 60.
   * @returns {Promise<T>} how it is now.
   */
  async wait(known, { signal, seconds = 50 } = {}) {
    const place = this.#read.get(known);
    if (!place) throw new AssentError('Only what was read with this object can be waited for.');
    for (;;) {
      const headers = { Prefer: `wait=${seconds}`, ...(place.tag && { 'If-None-Match': place.tag }) };
      const reply = await this.#call('GET', place.path, { headers, signal, timeout: (seconds + 15) * 1000, attempts: Infinity });
      if (reply.status !== 304) return this.#keep(reply, place.path);
    }
  }

  /**
   * Waits until a question is not pending any more.
   *
   * @param {object} question as `ask` or `question` gave it. @param {CallOptions} [options] @returns {Promise<object>}
   */
  async settled(question, options) {
    let current = question;
    while (current.state === 'pending') current = await this.wait(current, options);
    return current;
  }

  /**
   * Follows the log: with a ticket of its own for each connection, and from one connection to the next without losing an event or
   * telling one twice.
   *
   * @param {StreamFilter} filter @param {StreamOptions} [options] @returns {AssentStream}
   */
  stream(filter = {}, options = {}) {
    if (!this.#EventSource) throw new AssentError('There is no EventSource here; give one to the constructor.');
    const body = { filter };
    return new AssentStream({
      ...options,
      // No idempotency key: a repeat would not show the ticket again, and one that nobody uses is gone in a minute.
      ticket: async (signal) => (await this.#call('POST', '/v1/stream-tickets', { body, signal, attempts: 1 })).value,
      open: (ticket, after) =>
        new this.#EventSource(`${this.#url}/v1/events?${new URLSearchParams({ ticket, ...(after && { after }) })}`),
    });
  }

  // Requests

  async #get(path, { signal } = {}) {
    const reply = await this.#call('GET', path, { signal });
    return this.#keep(reply, path);
  }

  async #write(path, body, { signal, idempotencyKey = randomKey() } = {}, place) {
    // The key is the same over all attempts: what was done by one whose answer got lost is not done twice.
    const reply = await this.#call('POST', path, { body, signal, headers: { 'Idempotency-Key': `"${idempotencyKey}"` } });
    return this.#keep(reply, place(reply.value));
  }

  #keep({ value, headers }, path) {
    this.#read.set(value, { path, tag: headers.get('ETag') });
    return value;
  }

  /** An answer below 400, with its body; anything else is thrown. */
  async #call(method, path, { body, headers = {}, signal, timeout = 20_000, attempts = this.#attempts }) {
    /** @type {string | undefined} */
    let refused;
    for (let attempt = 1; ; attempt += 1) {
      signal?.throwIfAborted();
      let failure;
      try {
        const token = await abortable(this.#bearer(refused), signal);
        const reply = await this.#fetch(this.#url + path, {
          method,
          headers: { Authorization: `Bearer ${token}`, ...(body && { 'Content-Type': 'application/json' }), ...headers },
          body: body && JSON.stringify(body),
          signal: AbortSignal.any([AbortSignal.timeout(timeout), ...(signal ? [signal] : [])]),
          cache: 'no-store',
          credentials: 'omit',
        });
        const { status, headers: received } = reply;
        const text = await reply.text();
        if (status < 400) return { status, headers: received, value: text ? JSON.parse(text) : null };
        failure = new AssentProblem(status, problemDocument(text), received);
        if (failure.status === 401 && refused === undefined && typeof this.#source === 'function') {
          refused = token;
          attempt -= 1;
          continue;
        }
        if (![408, 429, 502, 503, 504].includes(failure.status)) throw failure;
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof AssentProblem) throw error;
        failure = new AssentUnreachable('The server does not answer.', { cause: error });
      }
      if (attempt >= attempts) throw failure;
      await delay(backoff(attempt, failure.retryAfter), signal);
    }
  }

  /** A token that is not the refused one and will do for a while; requests that need a new one share it. */
  #bearer(refused) {
    if (typeof this.#source !== 'function') return tokenText(this.#source);
    const held = this.#held;
    if (held && held.token !== refused && performance.now() < held.renewAt) return held.token;
    this.#renewal ??= this.#renew().finally(() => {
      this.#renewal = null;
    });
    return this.#renewal;
  }

  async #renew() {
    const begun = performance.now();
    const given = await this.#source();
    const token = tokenText(given);
    const lifetime = lifetimeOf(given);
    // A little early: what is sent with it must arrive while it is good.
    this.#held = { token, renewAt: begun + lifetime - Math.min(30_000, lifetime / 5) };
    return token;
  }
}

/** A stream of events that comes again by itself whenever it breaks; see `Assent.stream`. */
export class AssentStream {
  #parts;
  #ending = new AbortController();
  /** @type {string | null} */
  #cursor;

  /** @param {StreamOptions & {ticket: (signal: AbortSignal) => Promise<any>, open: (ticket: string, after: string | null) => EventSource}} parts */
  constructor(parts) {
    this.#parts = parts;
    this.#cursor = parts.after ?? null;
    const close = () => this.close();
    parts.signal?.addEventListener('abort', close, { once: true });
    if (parts.signal?.aborted) close();
    this.#run()
      .then(() => null, (error) => (this.#ending.signal.aborted ? null : error))
      .then((error) => {
        parts.signal?.removeEventListener('abort', close);
        parts.onState?.('closed');
        parts.onEnd?.(error);
      });
  }

  /** The id of the last event that was told, or where the stream began: a later stream goes on `after` it. */
  get cursor() {
    return this.#cursor;
  }

  /** Ends it for good; nothing is told afterwards but its end. */
  close() {
    this.#ending.abort();
  }

  async #run() {
    const { signal } = this.#ending;
    let failures = 0;
    while (!signal.aborted) {
      this.#parts.onState?.('connecting');
      try {
        const { ticket, cursor } = await this.#parts.ticket(signal);
        // From now on nothing is lost, also where the first connection fails.
        this.#cursor ??= cursor;
        if (await this.#connection(ticket)) failures = 0;
      } catch (error) {
        // What a new attempt cannot mend: the token does not allow it, there is no such person, …
        if (error instanceof AssentProblem && error.status < 500 && ![408, 429].includes(error.status)) throw error;
        this.#retryAfter = error.retryAfter ?? null;
      }
      failures += 1;
      if (signal.aborted) return;
      this.#parts.onState?.('waiting');
      // Everybody's stream breaks at once when a server goes: so they do not all come back at once.
      await delay(backoff(failures, this.#retryAfter), signal);
      this.#retryAfter = null;
    }
  }

  /** @type {number | null} */
  #retryAfter = null;

  /** One connection, from its beginning to its end; whether it lived. */
  #connection(ticket) {
    const { signal } = this.#ending;
    return new Promise((resolve) => {
      const source = this.#parts.open(ticket, this.#cursor);
      let lived = false;
      const end = () => {
        source.close();
        signal.removeEventListener('abort', end);
        resolve(lived);
      };
      signal.addEventListener('abort', end);
      source.addEventListener('open', () => {
        lived = true;
        if (!signal.aborted) this.#parts.onState?.('open');
      });
      // Left to itself it would come again with the ticket that is used up.
      source.addEventListener('error', end);
      const take = (tell) => (message) => {
        if (signal.aborted) return;
        this.#cursor = message.lastEventId;
        tell(JSON.parse(message.data));
      };
      source.addEventListener('reset', take(({ cursor }) => this.#parts.onReset?.(cursor)));
      for (const type of EVENT_TYPES) source.addEventListener(type, take((event) => this.#parts.onEvent?.(event)));
      if (signal.aborted) end();
    });
  }
}

/** What `Retry-After` asks for, in seconds: a proxy may give a date instead, or what nobody can read, which is null. */
function secondsUntil(text) {
  if (/^\d+$/.test(text)) return Number(text);
  const milliseconds = Date.parse(text) - Date.now();
  return Number.isNaN(milliseconds) ? null : Math.max(0, Math.ceil(milliseconds / 1000));
}

/** What a proxy answers may be anything. */
function problemDocument(text) {
  try {
    const document = JSON.parse(text);
    return typeof document === 'object' && document !== null ? document : {};
  } catch {
    return {};
  }
}

/** @param {{id: string} | string} question */
function questionPath(question) {
  return `/v1/questions/${encodeURIComponent(typeof question === 'string' ? question : question.id)}`;
}

/** @param {Token} given */
function tokenText(given) {
  return typeof given === 'string' ? given : given.token;
}

/** How many milliseconds a token lives from its making; by its own claims, since this machine's clock may be wrong. */
function lifetimeOf(given) {
  try {
    const claims = JSON.parse(atob(tokenText(given).split('.')[1].replaceAll('-', '+').replaceAll('_', '/')));
    if (claims.exp > claims.iat) return (claims.exp - claims.iat) * 1000;
  } catch {
    // Not a token that can be looked into.
  }
  const end = typeof given === 'object' ? Date.parse(given.expiresAt ?? '') : NaN;
  return Number.isNaN(end) ? Infinity : Math.max(0, end - Date.now());
}

/** Milliseconds before the next attempt: doubling up to 15 seconds, anywhere between half and all of it, or what the server asks for. */
function backoff(attempt, retryAfter) {
  const most = Math.min(15_000, 500 * 2 ** Math.min(attempt, 10));
  return Math.max(most / 2 + (Math.random() * most) / 2, Math.min(retryAfter ?? 0, 60) * 1000 * (1 + Math.random() / 4));
}

function delay(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

/** What is shared must not end for all when one of them goes. */
function abortable(promise, signal) {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    Promise.resolve(promise).then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** 128 random bits; `crypto.randomUUID` is missing where a page is not served securely. */
function randomKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
