'use strict';
/* The run that gmpscope has written into this page (export_html.c and page_state.h have its form).
 *
 * It is read once from front to back. That notes where each event is, the lives of Gs, moves and printed lines, and keeps a state every so many
 * events. A state in between is the one before it with the changes of some events put in. Nothing here knows a rule of the scheduler. */

const tables = JSON.parse(document.getElementById('tables').textContent);

const run = (() => {
  const text = atob(document.getElementById('events').textContent);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++)
    bytes[i] = text.charCodeAt(i);

  const SCOPES = ['sched', 'p', 'm'], OF_SCOPE = 16, CELLS_KEPT = 4e6;
  const CELL = 0, LIST = 1, LIFE = 2, PRINT = 1, DEAD = 6;
  const n = tables.events;
  const number = new Float64Array(n + 1), time = new Float64Array(n + 1);
  const sentence = new Uint32Array(n + 1), m = new Int32Array(n + 1), p = new Int32Array(n + 1);
  const args = new Uint32Array(n + 1), changes = new Uint32Array(n + 1);
  const lives = new Map(), moves = new Map(), tracks = [], prints = [], printAt = [];
  const births = {at: [], g: []}, deaths = {at: [], g: []};
  const kept = [], keptAt = [];
  let at = 0;

  function read() {
    let value = 0, scale = 1, byte;
    do {
      byte = bytes[at++];
      value += (byte & 127) * scale;
      scale *= 128;
    } while (byte > 127);
    return value;
  }

  function readSigned() {
    const value = read();
    return value % 2 ? -(value + 1) / 2 : value / 2;
  }

  /* The number of a cell or list: of the scheduler, or of a P or M with this index. */
  function place(names, scope, name, index = 0) {
    return (index * SCOPES.length + SCOPES.indexOf(scope)) * OF_SCOPE + names[scope].indexOf(name);
  }

  const trackOf = new Map();
  for (let i = 0; i < 1024; i++)
    trackOf.set(place(tables.cells, 'p', 'g', i), i);

  /* ---- what the first reading notes ---- */

  function noteLife(i, g) {
    const status = read(), reason = read(), line = read();
    let life = lives.get(g);
    if (status % 2) {
      life = {fn: tables.texts[read()].split('\n')[0], by: read(), at: [], status: [], reason: [], line: []};
      lives.set(g, life);
      births.at.push(i);
      births.g.push(g);
    }
    if (status >> 1 === DEAD) {
      deaths.at.push(i);
      deaths.g.push(g);
    }
    life.at.push(i);
    life.status.push(status >> 1);
    life.reason.push(reason);
    life.line.push(line);
  }

  function skipLife() {
    const made = read() % 2;
    for (let k = made ? 4 : 2; k; k--)
      read();
  }

  function noteOther(i, what, notes) {
    if (what === PRINT) {
      const print = {text: tables.texts[read()], how: read()};
      if (notes) {
        prints.push(print);
        printAt.push(i);
      }
    } else {
      const move = {what: read(), from: read(), to: read(), n: read()};
      if (notes)
        moves.set(i, [...(moves.get(i) || []), move]);
    }
  }

  function noteTrack(i, cell, g) {
    const track = trackOf.get(cell);
    if (track === undefined)
      return;
    tracks[track] = tracks[track] || {at: [], g: []};
    tracks[track].at.push(i);
    tracks[track].g.push(g);
  }

  /* ---- states ---- */

  function changeList(state, list) {
    const from = read(), removed = read(), added = read();
    const was = state.list[list] || [], now = was.slice(0, from);
    for (let k = 0; k < added; k++)
      now.push(read());
    for (let k = from + removed; k < was.length; k++)
      now.push(was[k]);
    state.list[list] = now; /* never changed in place: kept states share it */
  }

  /* Puts the changes of event i into the state. notes: it is the first reading. */
  function change(state, i, notes) {
    for (let k = read(); k; k--) {
      const head = read(), what = head % 4, id = (head - what) / 4;
      if (what === CELL) {
        state.cell[id] = readSigned();
        if (notes)
          noteTrack(i, id, state.cell[id]);
      } else if (what === LIST) {
        changeList(state, id);
      } else if (what === LIFE) {
        notes ? noteLife(i, id) : skipLife();
      } else {
        noteOther(i, id, notes);
      }
    }
    state.at = i;
  }

  function copy(state) {
    return {at: state.at, cell: state.cell.slice(), list: state.list.slice()};
  }

  function keep(state) {
    kept.push(copy(state));
    keptAt.push(state.at);
  }

  const holes = tables.sentences.map(s => {
    let most = 0;
    for (const form of s.slice(2))
      for (const part of form)
        most = typeof part === 'number' && part >= most ? part + 1 : most;
    return most;
  });

  function readAll() {
    const state = {at: 0, cell: [], list: []};
    number[0] = read();
    time[0] = readSigned();
    change(state, 0, true);
    const every = () => Math.max(256, Math.ceil(n * state.cell.length / CELLS_KEPT));
    keep(state);
    for (let i = 1; i <= n; i++) {
      number[i] = number[i - 1] + read();
      sentence[i] = read();
      time[i] = time[i - 1] + readSigned();
      m[i] = read() - 1;
      p[i] = read() - 1;
      args[i] = at;
      for (let k = holes[sentence[i]]; k; k--)
        read();
      changes[i] = at;
      change(state, i, true);
      if (i - keptAt[keptAt.length - 1] >= every())
        keep(state);
    }
  }

  /* Returns the last place of a sorted array whose value is at most `value`; -1: none. */
  function last(array, value) {
    let low = 0, high = array.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (array[middle] <= value)
        low = middle + 1;
      else
        high = middle;
    }
    return low - 1;
  }

  let now = null;
  /* Returns the state after event i, counted from 1; 0: before the first one. It is valid until the next call. */
  function state(i) {
    const near = kept[last(keptAt, i)];
    if (!now || now.at > i || near.at > now.at)
      now = copy(near);
    while (now.at < i) {
      at = changes[now.at + 1];
      change(now, now.at + 1, false);
    }
    return now;
  }

  const living = {at: -1, gs: new Set()};
  /* Returns the Gs that live after event i, as a set. It is valid until the next call. */
  function alive(i) {
    const [from, to] = i > living.at ? [living.at, i] : [i, living.at], ahead = i > living.at;
    const each = (of, act) => {
      for (let k = last(of.at, from) + 1; k < of.at.length && of.at[k] <= to; k++)
        act(of.g[k]);
    };
    each(ahead ? births : deaths, g => living.gs.add(g));
    each(ahead ? deaths : births, g => living.gs.delete(g));
    living.at = i;
    return living.gs;
  }

  function say(i, form) {
    at = args[i];
    const values = [];
    for (let k = holes[sentence[i]]; k; k--)
      values.push(read());
    return tables.sentences[sentence[i]][form].map(part => typeof part === 'number' ? values[part] : part).join('');
  }

  readAll();
  return {
    n, number, time, m, p, lives, moves, tracks, last, state, alive,
    /* How many lines the program has printed up to event i; line k, from 0. */
    printed: i => last(printAt, i) + 1,
    print: k => prints[k],
    cell: (state, scope, name, index) => state.cell[place(tables.cells, scope, name, index)] || 0,
    list: (state, scope, name, index) => state.list[place(tables.lists, scope, name, index)] || [],
    /* The event with this number, or the last one before it. */
    find: wanted => Math.max(0, last(number, wanted)),
    kind: i => tables.sentences[sentence[i]][0],
    goFunction: i => tables.sentences[sentence[i]][1],
    sentence: (i, lang) => say(i, 2 + lang),
    line: i => say(i, 4),
    /* What is known of a G after event i; null: it was not there. */
    life(g, i) {
      const life = lives.get(g), k = life ? last(life.at, i) : -1;
      return k < 0 ? null : {fn: life.fn, by: life.by, since: life.at[k], status: life.status[k], reason: life.reason[k], line: life.line[k]};
    },
  };
})();
