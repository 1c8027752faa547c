/* Paints a state: what each pane shows after event i. Text of the run goes into the page as text nodes only. */

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const by = id => document.getElementById(id);

const view = {
  lang: /^zh/i.test(navigator.language || '') ? 1 : 0,
  dark: matchMedia('(prefers-color-scheme: dark)').matches,
  selected: 0,
  at: 0,
  before: null, /* the state that was shown before, to mark what is new */
  painted: new Map(),

  text(name, ...values) {
    return WORDS[name][this.lang].replace(/\{(\d)\}/g, (_, i) => values[i]);
  },

  setLanguage(lang) {
    this.lang = lang;
    document.documentElement.lang = lang ? 'zh' : 'en';
    for (const e of document.querySelectorAll('[data-text]'))
      e.textContent = this.text(e.dataset.text);
    for (const e of document.querySelectorAll('[data-label]')) {
      e.setAttribute('aria-label', this.text(e.dataset.label));
      e.title = this.text(e.dataset.label);
    }
    by('language').textContent = this.text('other');
    by('language').lang = lang ? 'en' : 'zh';
    by('help').textContent = this.text('help');
    by('title').textContent = tables.run.title[lang] || tables.run.name;
    this.setTheme(this.dark);
    paintFacts();
    fillTempo();
    this.painted.clear();
    this.show(this.at, false);
    lesson.show();
  },

  setTheme(dark) {
    this.dark = dark;
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    by('theme').textContent = this.text(dark ? 'light' : 'dark');
    timeline.paint();
  },

  select(g) {
    this.selected = this.selected === g ? 0 : g;
    this.painted.clear();
    this.show(this.at, false);
  },

  /* Paints the state after event i. steps: the person or the player went there, so what differs from the state before is marked. */
  show(i, steps = true) {
    const state = run.state(i), from = this.at;
    if (steps && i !== from)
      this.before = copyOf(this.current);
    this.at = i;
    this.current = copyOf(state);
    paintNow(i);
    paintProcessors(state, this.before);
    paintSched(state);
    paintThreads(state, this.before);
    paintNarration(i);
    paintLadder(state, i);
    paintGs(i);
    paintProgram(state, i);
    paintOutput(i);
    by('slider').value = i;
    by('slider').setAttribute('aria-valuetext', `${placeText(i)} ${i ? run.sentence(i, this.lang) : ''}`);
    by('arrows').replaceChildren();
    scroll(state, i);
    paintArrows(i, steps && i > from && i - from < 64 ? from + 1 : i);
    timeline.paint();
  },
};

function copyOf(state) {
  return state ? {cell: state.cell.slice(), list: state.list.slice()} : null;
}

/* Replaces what an element has, unless it was painted from the same key. */
function repaint(element, key, children) {
  if (view.painted.get(element) === key)
    return;
  view.painted.set(element, key);
  element.replaceChildren(...children());
}

/* ---- names ---- */

function gName(g) {
  const system = g - tables.run.systemG;
  return g <= 0 ? '?' : system >= 0 && system < tables.run.systemGs ? `Gs${system + 1}` : `G${g}`;
}

function chip(g, isNew) {
  const life = run.lives.get(g);
  if (g <= 0)
    return make('span', {class: 'g unknown'}, '?');
  const button = make('button', {type: 'button', class: `g c${g % 8}`, tabindex: -1, title: life ? `${gName(g)} ${life.fn}` : gName(g)}, gName(g));
  button.dataset.g = g;
  if (isNew)
    button.classList.add('new');
  if (g === view.selected)
    button.classList.add('selected');
  return button;
}

function duration(ns) {
  const units = [[1e9, 's'], [1e6, 'ms'], [1e3, 'µs'], [1, 'ns']];
  const [unit, name] = units.find(u => Math.abs(ns) >= u[0]) || units[3];
  return `${+(ns / unit).toFixed(3)} ${name}`;
}

function placeText(i) {
  return view.text('event', run.number[i], run.number[run.n]);
}

function paintFacts() {
  const r = tables.run;
  by('facts').textContent = [r.name, r.generation, r.mode, view.text('seed', r.seed), `GOMAXPROCS\u00a0${r.procs}`].join(' · ');
}

function paintNow(i) {
  by('where').textContent = [placeText(i), duration(run.time[i]), ...(i && run.m[i] >= 0 ? [`M${run.m[i]}`] : []), ...(i && run.p[i] >= 0 ? [`P${run.p[i]}`] : [])].join(' · ');
  by('sentence').textContent = i ? run.sentence(i, view.lang) : view.text('begin');
  by('machine').textContent = i ? [run.line(i), run.goFunction(i)].filter(Boolean).join('  ·  ') : '';
}

/* ---- processors ---- */

const RING_FIRST = 24, RING_LAST = 4;

function queue(gs, total, old) {
  const known = new Set(old), chips = [];
  const few = gs.length <= RING_FIRST + RING_LAST;
  const first = few ? gs : gs.slice(0, RING_FIRST), end = few ? [] : gs.slice(-RING_LAST);
  for (const g of first)
    chips.push(chip(g, old && !known.has(g)));
  if (!few || total > gs.length)
    chips.push(make('span', {class: 'fold'}, view.text('more', total - first.length - end.length)));
  for (const g of total > gs.length ? [] : end)
    chips.push(chip(g, old && !known.has(g)));
  return chips.length ? chips : [make('span', {class: 'none'}, '–')];
}

function paintGlobal(row, state, before) {
  const gs = run.list(state, 'sched', 'globq_gs'), n = run.cell(state, 'sched', 'globq');
  const old = before ? run.list(before, 'sched', 'globq_gs') : null;
  repaint(row, JSON.stringify([gs, n, old]), () => [
    make('th', {scope: 'row', colspan: 2, class: 'global'}, view.text('global')),
    make('td', {class: 'ring', colspan: 4}, ...(n ? queue(gs, Math.max(n, gs.length), old) : [make('span', {class: 'none'}, view.text('globalEmpty'))])),
    make('td', {class: 'number'}, n < 0 ? '?' : String(n)),
    make('td', {}, ''),
  ]);
}

function tickMeter(tick) {
  const meter = make('span', {class: 'meter', 'aria-hidden': 'true'});
  meter.append(make('span', {class: 'fill'}));
  meter.firstChild.style.width = `${tick % 61 / 60 * 100}%`;
  return meter;
}

function pState(state, p) {
  const status = run.cell(state, 'p', 'status', p), m = run.cell(state, 'p', 'm', p);
  const doing = m > 0 ? run.cell(state, 'm', 'doing', m - 1) : 0;
  if (status === 1 && doing === 2)
    return M_WORDS[2];
  return P_WORDS[status < 0 ? 5 : status] || P_WORDS[5];
}

/* Gs that an M moves are in no queue. */
function inHand(hand) {
  return [make('span', {class: 'hand'}, view.text('holds'), ' ', ...hand.slice(0, 3).map(g => chip(g, true)), hand.length > 3 ? ` +${hand.length - 3}` : '')];
}

function paintP(row, state, before, p) {
  const cell = name => run.cell(state, 'p', name, p), was = name => before ? run.cell(before, 'p', name, p) : null;
  const ring = run.list(state, 'p', 'ring', p), old = before ? run.list(before, 'p', 'ring', p) : null;
  const words = pState(state, p), m = cell('m'), g = cell('g'), next = cell('next'), len = cell('len'), tick = cell('tick');
  const hand = m > 0 ? run.list(state, 'm', 'hand', m - 1) : [];
  const key = JSON.stringify([words, m, g, next, len, tick, ring, old, was('g'), was('next'), cell('known'), hand]);
  const marked = name => before && was(name) !== cell(name);
  const one = (value, name) => value ? chip(value, marked(name)) : make('span', {class: 'none'}, '–');
  repaint(row, key, () => [
    make('th', {scope: 'row'}, `P${p}`),
    make('td', {class: `state s${words[0]}`}, make('abbr', {title: words[1 + view.lang]}, words[0]), m > 0 ? ` M${m - 1}` : m < 0 ? ' M?' : ''),
    make('td', {class: 'running'}, ...(g || !hand.length ? [one(g, 'g')] : inHand(hand)), ...(g > 0 && run.lives.get(g) ? [make('span', {class: 'fn'}, run.lives.get(g).fn)] : [])),
    make('td', {class: 'next'}, one(next, 'next')),
    make('td', {class: 'ring', colspan: 2}, ...(cell('known') === 2 ? [make('span', {class: 'none'}, view.text('unknown'))] : queue(ring, ring.length, old))),
    make('td', {class: 'number'}, len < 0 ? '?' : String(len)),
    make('td', {class: 'number tick'}, tick < 0 ? '?' : String(tick % 61), ...(tick < 0 ? [] : [tickMeter(tick)])),
  ]);
}

function rows(table, heads, n) {
  if (!table.tHead) {
    table.append(make('thead', {}, make('tr')), make('tbody'));
  }
  repaint(table.tHead.rows[0], JSON.stringify([heads, view.lang]), () => heads.map(h => make('th', {scope: 'col', class: h[1] || '', colspan: h[2] || 1}, h[0])));
  const body = table.tBodies[0];
  while (body.rows.length < n)
    body.append(make('tr'));
  while (body.rows.length > n)
    body.lastChild.remove();
  return body.rows;
}

function paintProcessors(state, before) {
  const ps = tables.run.hasP ? run.cell(state, 'sched', 'ps') : 0;
  const table = by('processors');
  const heads = [['P'], ['M'], [view.text('running')], ['runnext'], [view.text('ring'), '', 2], [view.text('length'), 'number'], ['tick/61', 'number']];
  const all = rows(table, heads, ps + 1);
  for (let p = 0; p < ps; p++)
    paintP(all[p], state, before, p);
  all[ps].classList.add('shared');
  for (let p = 0; p < ps; p++)
    all[p].classList.remove('shared');
  paintGlobal(all[ps], state, before);
}

function paintSched(state) {
  const cell = name => run.cell(state, 'sched', name);
  const facts = [view.text('sched', cell('runnable'), cell('running'), cell('waiting'), cell('calls')), view.text('spinning', cell('spinning'))];
  const idle = [...run.list(state, 'sched', 'idle_p').map(p => `P${p}`), ...run.list(state, 'sched', 'idle_m').map(m => `M${m}`)];
  if (idle.length)
    facts.push(view.text('idleP', idle.slice(0, 12).join(' ') + (idle.length > 12 ? ' …' : '')));
  if (cell('needspinning'))
    facts.push(view.text('needspinning'));
  if (cell('world'))
    facts.push(view.text(cell('world') === 2 ? 'stopped' : 'stopping'));
  by('sched').textContent = facts.join(' · ');
}

/* ---- arrows ---- */

const SVG = 'http://www.w3.org/2000/svg';
const MOVES = ['steal', 'overflow', 'take', 'wake'];

function svg(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes))
    element.setAttribute(name, value);
  return element;
}

/* An arrow belongs to its event. Those of the events since the last stop are shown. */
function paintArrows(to, from) {
  const arrows = by('arrows'), table = by('processors'), body = table.tBodies[0];
  const shown = [];
  for (let i = from; i <= to; i++)
    for (const move of run.moves.get(i) || [])
      shown.push(move);
  if (!body || !shown.length)
    return;
  const top = arrows.getBoundingClientRect().top, height = table.offsetHeight, wide = arrows.clientWidth > 50;
  arrows.setAttribute('viewBox', `0 0 ${arrows.clientWidth} ${height}`);
  arrows.style.height = `${height}px`;
  const middle = row => {
    const box = row.getBoundingClientRect();
    return box.top - top + box.height / 2;
  };
  shown.slice(wide ? -4 : -2).forEach((move, lane) => {
    const rowOf = p => p ? body.rows[p - 1] : body.rows[body.rows.length - 1];
    const a = rowOf(move.from), b = rowOf(move.to);
    if (!a || !b || a === b)
      return;
    const y1 = middle(a), y2 = middle(b), x = 18 + lane * 11, kind = MOVES[move.what];
    arrows.append(svg('path', {class: kind, d: `M2,${y1} H${x - 6} Q${x},${y1} ${x},${y1 + (y2 > y1 ? 6 : -6)} V${y2 - (y2 > y1 ? 6 : -6)} Q${x},${y2} ${x - 6},${y2} H9`}));
    arrows.append(svg('path', {class: `${kind} head`, d: `M9,${y2 - 5} L2,${y2} L9,${y2 + 5} Z`}));
    if (kind !== 'wake') {
      const label = svg('text', {class: kind, x: x + 4, y: (y1 + y2) / 2 + 5});
      label.textContent = move.n;
      arrows.append(label);
    }
  });
}

/* ---- the other panes ---- */

function paintThreads(state, before) {
  const ms = run.cell(state, 'sched', 'ms'), there = [];
  for (let m = 0; m < ms && there.length < 256; m++)
    if (run.cell(state, 'm', 'doing', m))
      there.push(m);
  const all = rows(by('threads'), [['M'], [view.text('state')], ['P'], [view.text('doing')]], there.length);
  there.forEach((m, k) => {
    const cell = name => run.cell(state, 'm', name, m), was = name => before ? run.cell(before, 'm', name, m) : null;
    const doing = cell('doing'), g = cell('g'), p = cell('p'), hand = run.list(state, 'm', 'hand', m), line = cell('line');
    const acts = view.at > 0 && run.m[view.at] === m;
    all[k].className = acts ? 'acts' : '';
    repaint(all[k], JSON.stringify([m, doing, g, p, hand, line, cell('oldp'), cell('locked'), was('doing')]), () => {
      const what = [];
      if (g > 0)
        what.push(chip(g), ` ${run.lives.get(g) ? run.lives.get(g).fn : ''} `);
      if (doing !== 1)
        what.push(M_WORDS[doing][1 + view.lang], ' ');
      if (doing === 4 && cell('oldp') > 0)
        what.push(view.text('wasP', cell('oldp') - 1), ' ');
      if (doing === 8 && cell('locked'))
        what.push(chip(cell('locked')));
      if (hand.length)
        what.push(make('span', {class: 'hand'}, view.text('holds'), ' ', ...hand.slice(0, 8).map(h => chip(h))));
      return [make('th', {scope: 'row'}, `M${m}`),
        make('td', {class: `state s${M_WORDS[doing][0]}`}, make('abbr', {title: M_WORDS[doing][1 + view.lang]}, M_WORDS[doing][0])),
        make('td', {}, p > 0 ? `P${p - 1}` : '–'), make('td', {class: 'what'}, ...what)];
    });
  });
}

function eventItem(i, now) {
  const button = make('button', {type: 'button', class: 'event'}, make('span', {class: 'n'}, String(run.number[i])),
    make('span', {class: 'who'}, run.m[i] >= 0 ? `M${run.m[i]}` : ''), make('span', {class: 'what'}, run.sentence(i, view.lang)));
  button.dataset.event = i;
  if (now)
    button.setAttribute('aria-current', 'step');
  return make('li', {}, button);
}

function paintNarration(i) {
  const items = [];
  for (let k = i, looked = 0; k > 0 && items.length < 12 && looked < 400; k--, looked++)
    if (k === i || !isDetail(k))
      items.unshift(eventItem(k, k === i));
  by('narration').replaceChildren(...items);
}

/* The search of the M whose event this is, or of the last M that searched. */
function searching(state, i) {
  for (let k = i, looked = 0; k > 0 && looked < 64; k--, looked++)
    if (run.m[k] >= 0 && run.list(state, 'm', 'search', run.m[k]).length)
      return run.m[k];
  return -1;
}

function paintLadder(state, i) {
  const m = searching(state, i), steps = m < 0 ? [] : run.list(state, 'm', 'search', m);
  by('ladder-title').textContent = m < 0 ? view.text('ladderNone') : view.text('ladder', m);
  const items = steps.map(number => run.find(number)).filter((k, at) => run.number[k] === steps[at]).map(k => {
    const item = eventItem(k, k === i), fields = run.line(k).split(' ').slice(1).filter(f => !/^(stage|victim|pass)=/.test(f)).join(' ');
    if (isDetail(k) && fields)
      item.firstChild.append(make('span', {class: 'fields'}, fields));
    if (!isDetail(k))
      item.firstChild.classList.add('found');
    return item;
  });
  by('ladder').replaceChildren(...(items.length ? items : [make('li', {class: 'empty'}, view.text('ladderEmpty'))]));
}

const GS_SHOWN = 60;

/* What a G does. Why it waits is said by the event with which it began to wait, if the page has that event. */
function gText(life) {
  if (life.status === 4 && life.since && run.kind(life.since) === 'g_park')
    return run.sentence(life.since, view.lang);
  const reason = life.reason ? (tables.texts[life.reason].split('\n')[view.lang] || '') : tables.texts[0].split('\n')[view.lang] || '';
  return G_WORDS[life.status][view.lang] + (life.status === 4 && reason ? (view.lang ? `：${reason}` : ` ${reason}`) : '');
}

function paintGs(i) {
  const there = [], alive = run.alive(i);
  for (const g of alive) {
    if (there.length === GS_SHOWN)
      break;
    there.push([g, run.life(g, i)]);
  }
  by('gs-count').textContent = alive.size > GS_SHOWN ? view.text('shownOf', GS_SHOWN, alive.size) : alive.size;
  there.sort((a, b) => a[0] - b[0]);
  const all = rows(by('gs'), [['G'], [view.text('starts')], [view.text('state')]], there.length);
  there.forEach(([g, life], k) => repaint(all[k], JSON.stringify([g, life, view.selected === g]), () =>
    [make('th', {scope: 'row'}, focusable(chip(g))), make('td', {class: 'fn'}, life.fn), make('td', {class: `g${life.status}`}, gText(life))]));
  const life = view.selected ? run.life(view.selected, i) : null;
  by('selected').textContent = !view.selected ? view.text('select') : !life ? `${gName(view.selected)}: –`
    : life.by ? view.text('createdBy', gName(view.selected), life.fn, gName(life.by), gText(life)) : view.text('created', gName(view.selected), life.fn, gText(life));
}

/* In the list of Gs each G can be reached with tab; elsewhere it would be one stop for each cell of each ring. */
function focusable(button) {
  if (button.tagName === 'BUTTON') {
    button.removeAttribute('tabindex');
    button.setAttribute('aria-label', view.text('selectG', button.textContent));
    button.setAttribute('aria-pressed', button.classList.contains('selected'));
  }
  return button;
}

let linesLit = []; /* lines that show a G now */

function paintProgram(state, i) {
  const lines = tables.program, pane = by('program');
  if (!lines.length)
    return;
  if (!pane.firstChild) {
    pane.closest('section').hidden = false;
    pane.append(...lines.map((line, k) => make('div', {class: 'code'}, make('span', {class: 'n'}, String(k + 1)), make('code', {}, line.replace(/\t/g, '    ')), make('span', {class: 'at'}))));
  }
  const at = new Map();
  for (let m = 0; m < run.cell(state, 'sched', 'ms'); m++)
    if (run.cell(state, 'm', 'doing', m) === 1 && run.cell(state, 'm', 'line', m))
      at.set(run.cell(state, 'm', 'line', m), [...(at.get(run.cell(state, 'm', 'line', m)) || []), run.cell(state, 'm', 'g', m)]);
  for (const line of new Set([...linesLit, ...at.keys()])) {
    const row = pane.children[line - 1], gs = at.get(line) || [];
    row.classList.toggle('here', gs.length > 0);
    repaint(row.lastChild, JSON.stringify([gs, view.selected]), () => gs.map(g => chip(g)));
  }
  linesLit = [...at.keys()];
}

/* Scrolls to what is new. The browser lays the page out once: all places are read before one is set. */
function scroll(state, i) {
  const pane = by('program'), acting = run.cell(state, 'm', 'line', Math.max(0, run.m[i]));
  const here = acting && tables.program.length ? pane.children[acting - 1] : pane.querySelector('.here');
  const ends = [by('narration'), by('output')].map(e => [e, e.scrollHeight]);
  const outside = here && (here.offsetTop < pane.scrollTop || here.offsetTop + here.offsetHeight > pane.scrollTop + pane.clientHeight);
  const middle = outside ? here.offsetTop - pane.clientHeight / 2 : 0;
  for (const [element, end] of ends)
    element.scrollTop = end;
  if (outside)
    pane.scrollTop = middle;
}

const LINES_SHOWN = 200, STDERR = 1, PART = 2;

function paintOutput(i) {
  const upTo = run.printed(i);
  repaint(by('output'), String(upTo), () => {
    const children = [];
    for (let k = Math.max(0, upTo - LINES_SHOWN); k < upTo; k++) {
      const print = run.print(k);
      children.push(make('span', {class: print.how & STDERR ? 'stderr' : ''}, print.text + (print.how & PART ? '' : '\n')));
    }
    return children.length ? children : [make('span', {class: 'none'}, view.text('outputEmpty'))];
  });
}

/* ---- the timeline: a lane for each P, a column for each event, in the colour of the G ---- */

const timeline = {
  span: 0, /* events shown; 0: all, but at most 400 */

  zoom(factor) {
    this.span = Math.round(Math.min(Math.max(20, (this.span || Math.min(run.n, 400)) * factor), Math.max(20, run.n)));
    this.paint();
  },

  range() {
    const span = this.span || Math.min(run.n, 400), from = Math.max(0, Math.min(view.at - span * 0.6, run.n - span));
    return [from, Math.max(1, span)];
  },

  paint() {
    const canvas = by('timeline'), lanes = run.tracks.length, row = 22, left = 34, w = canvas.clientWidth, h = Math.max(1, lanes) * row + 8;
    const scale = devicePixelRatio || 1, style = getComputedStyle(document.documentElement);
    const inks = new Map(), ink = name => inks.get(name) || inks.set(name, style.getPropertyValue(name).trim()).get(name);
    if (!w)
      return;
    canvas.width = w * scale;
    canvas.height = h * scale;
    canvas.style.height = `${h}px`;
    const c = canvas.getContext('2d'), [from, span] = this.range(), x = i => left + (i - from) / span * (w - left - 8);
    c.scale(scale, scale);
    c.font = '12px system-ui, sans-serif';
    c.textBaseline = 'middle';
    for (let p = 0; p < lanes; p++) {
      const y = 4 + p * row;
      c.fillStyle = ink('--dim');
      c.fillText(`P${p}`, 4, y + row / 2);
      c.fillStyle = ink('--well');
      c.fillRect(left, y + 2, w - left - 8, row - 4);
      if (run.tracks[p])
        this.lane(c, run.tracks[p], y, row, x, from, span, ink);
    }
    c.fillStyle = ink('--accent');
    c.fillRect(Math.round(x(view.at)) - 1, 0, 2, h);
  },

  lane(c, track, y, row, x, from, span, ink) {
    const end = Math.min(from + span, view.at); /* what is to come is not shown: a lesson may ask for it */
    for (let k = Math.max(0, run.last(track.at, from)); k < track.at.length && track.at[k] <= end; k++) {
      const g = track.g[k], a = Math.max(track.at[k], from), b = Math.min(k + 1 < track.at.length ? track.at[k + 1] : end, end);
      if (g <= 0 || b <= a)
        continue;
      const x1 = x(a), x2 = x(b);
      c.globalAlpha = !view.selected || view.selected === g ? 1 : 0.3;
      c.fillStyle = ink(`--g${g % 8}`);
      c.fillRect(x1, y + 2, Math.max(1, x2 - x1 - 1), row - 4);
      if (x2 - x1 > 26) {
        c.fillStyle = ink('--on-g');
        c.fillText(gName(g), x1 + 5, y + row / 2, x2 - x1 - 8);
      }
      c.globalAlpha = 1;
    }
  },

  seek(event) {
    const box = by('timeline').getBoundingClientRect(), [from, span] = this.range();
    player.go(Math.round(from + (event.clientX - box.left - 34) / (box.width - 42) * span));
  },
};
