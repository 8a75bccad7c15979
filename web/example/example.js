/** What both pages of the example share. */

import { Assent, AssentProblem } from './assent.js';

const WORDS = {
  pending: 'waiting for an answer', approved: 'yes', denied: 'no', revoked: 'not any more', expired: 'nobody answered in time',
  cancelled: 'taken back',
};

/** Where Assent is, and a client for this page's role; its tokens come from the back end, which alone has the key. */
export async function begin(role) {
  const settings = await (await fetch('settings.json')).json();
  const token = async () => {
    const reply = await fetch(`tokens/${role}`, { method: 'POST' });
    if (!reply.ok) throw new Error('There is no token to be had.');
    return reply.json();
  };
  return { settings, assent: new Assent({ url: settings.assent, token }) };
}

/** Does something and tells what went wrong, in words for people where there are any. */
export async function notice(work) {
  const place = document.querySelector('#notice');
  place.textContent = '';
  try {
    return await work();
  } catch (error) {
    place.textContent = error instanceof AssentProblem ? `${error.message} (${error.slug})` : error.message;
  }
}

/** The questions on the page, newest first, each with its buttons. */
export function questionList(buttons) {
  const shown = new Map();
  const place = document.querySelector('#questions');
  return {
    /** Shows a question, unless what is shown is newer. */
    put(question) {
      const before = shown.get(question.id);
      if (before && before.revision > question.revision) return;
      const item = before?.item ?? document.createElement('li');
      item.dataset.question = question.id;
      item.dataset.state = question.state;
      const what = document.createElement('b');
      what.textContent = question.description;
      const state = document.createElement('span');
      state.textContent = WORDS[question.state] ?? question.state;
      const choices = buttons(question).map(([label, act]) => {
        const button = document.createElement('button');
        button.textContent = label;
        button.addEventListener('click', () => notice(async () => this.put(await act())));
        return button;
      });
      item.replaceChildren(what, state, ...choices);
      if (!before) place.prepend(item);
      shown.set(question.id, { revision: question.revision, item });
    },
    /** Follows the log first and then reads what is there: so nothing falls between the two. */
    follow(assent, filter, read) {
      const readAll = () => notice(async () => {
        for (const question of (await read()).data.reverse()) this.put(question);
      });
      return assent.stream(filter, {
        onEvent: (event) => this.put(event.data),
        onReset: readAll,
        onState: (state) => {
          document.body.dataset.stream = state;
          if (state === 'open') readAll();
        },
        onEnd: (error) => error && notice(() => Promise.reject(error)),
      });
    },
  };
}
