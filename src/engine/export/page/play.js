/* What moves through the run: the player, the lesson, keys and buttons. */

function isDetail(i) {
  return tables.kinds[run.kind(i)].detail > 0;
}

const RATES = [0.5, 1, 2, 4, 10, 30, 100, 1000];
const DWELL = [1, 2, 0.6, 0.4, 0.3]; /* how long an event is shown, by its weight */

const player = {
  at: 0,
  rate: 2,
  timer: 0,

  get playing() {
    return this.timer !== 0;
  },

  go(i, says = true) {
    this.at = Math.max(0, Math.min(run.n, Math.round(i) || 0));
    view.show(this.at);
    lesson.show();
    if (says)
      by('said').textContent = `${placeText(this.at)}. ${this.at ? run.sentence(this.at, view.lang) : ''}`;
  },

  /* The next event that is no detail, in this direction. */
  next(way) {
    let i = this.at + way;
    while (i > 0 && i < run.n && isDetail(i))
      i += way;
    return Math.max(0, Math.min(run.n, i));
  },

  step(way) {
    this.pause();
    this.go(this.next(way));
  },

  round(way) {
    let i = this.at + way;
    this.pause();
    while (i > 0 && i < run.n && !tables.kinds[run.kind(i)].round)
      i += way;
    this.go(i);
  },

  toggle() {
    if (this.playing)
      this.pause();
    else
      this.play();
  },

  play() {
    if (this.at >= run.n)
      this.go(0);
    this.timer = setTimeout(() => this.tick(), 0);
    this.label();
  },

  pause() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.label();
  },

  label() {
    by('play').querySelector('path').setAttribute('d', this.playing ? 'M6 4h4v16H6zM14 4h4v16h-4z' : 'M7 3v18l13-9z');
    by('play').dataset.label = this.playing ? 'pause' : 'play';
    by('play').setAttribute('aria-label', view.text(by('play').dataset.label));
    by('play').title = view.text(by('play').dataset.label);
  },

  /* One frame. Above 30 events a second a frame has several. */
  tick() {
    const rate = Math.max(this.rate, lesson.rate()), steps = Math.max(1, Math.round(rate / 30));
    const slow = rate <= 2;
    let stop = false;
    for (let k = 0; k < steps && this.at < run.n && !stop; k++) {
      const to = this.next(1), stopAt = lesson.stop(this.at, to);
      this.at = stopAt || to;
      stop = stopAt > 0;
    }
    this.go(this.at, slow || stop || this.at >= run.n);
    if (stop || this.at >= run.n) {
      this.pause();
      return;
    }
    const weight = rate > 10 ? 1 : DWELL[tables.kinds[run.kind(this.at)].weight];
    this.timer = setTimeout(() => this.tick(), 1000 * steps * weight / rate);
  },

  faster(way) {
    const i = RATES.indexOf(this.rate) + way;
    this.rate = RATES[Math.max(0, Math.min(RATES.length - 1, i))];
    fillTempo();
  },
};

function fillTempo() {
  by('tempo').replaceChildren(...RATES.map(rate => make('option', {value: rate}, view.text('rate', rate))));
  by('tempo').value = player.rate;
}

/* ---- the lesson ---- */

const lesson = {
  entries: tables.lesson,
  given: new Map(), /* by entry: the choice, and whether the run had shown the answer before */
  shown: '',

  /* The last entry that is met, -1: none. The event that decides an answer shows its entry once more, unless it meets one of its own. */
  now() {
    const number = run.number[view.at], met = this.entries.filter(e => e.at <= number).length - 1;
    const decided = this.entries.findIndex(e => e.choices && e.shown > e.at && e.shown === number);
    return decided >= 0 && !(met >= 0 && this.entries[met].at === number) ? decided : met;
  },

  decided(e) {
    return e.shown > e.at && run.number[view.at] >= e.shown;
  },

  isOpen(k) {
    const e = this.entries[k];
    return Boolean(e && e.choices) && !this.given.has(k) && !this.decided(e);
  },

  /* The first event after `from`, up to `to`, at which the lesson stops; 0: none. */
  stop(from, to) {
    const a = run.number[from], b = run.number[to];
    const places = this.entries.flatMap(e => [...(e.stops ? [e.at] : []), ...(e.choices && e.shown > e.at ? [e.shown] : [])]);
    const first = Math.min(...places.filter(n => n > a && n <= b));
    return first === Infinity ? 0 : run.find(first);
  },

  /* Between two stops about four seconds pass, however many events there are. */
  rate() {
    const to = this.entries.length ? this.stop(player.at, run.n) || run.n : 0;
    return to > player.at ? (to - player.at) / 8 : 0;
  },

  go(way) {
    const number = run.number[view.at], places = this.entries.map(e => e.at);
    const to = way > 0 ? places.find(n => n > number) : places.filter(n => n < number).pop();
    player.pause();
    if (to !== undefined)
      player.go(run.find(to));
    else if (this.entries.length && way > 0)
      player.go(run.n);
  },

  answer(choice) {
    const k = this.now(), e = this.entries[k];
    if (!e || !e.choices || choice >= e.choices.length || this.given.has(k))
      return;
    this.given.set(k, {choice, late: this.decided(e)});
    this.show();
    by('lesson-text').querySelector('.go')?.focus();
  },

  score() {
    const asked = this.entries.filter(e => e.choices && !e.chance && e.answer >= 0).length;
    let right = 0;
    for (const [k, given] of this.given)
      right += !given.late && !this.entries[k].chance && given.choice === this.entries[k].answer;
    return [right, asked];
  },

  feedback(k) {
    const e = this.entries[k], given = this.given.get(k), text = t => t ? t[view.lang] : '';
    if (e.answer < 0)
      return [make('p', {class: 'feedback'}, view.text('noAnswer'))];
    const right = text(e.choices[e.answer]), because = text(e.because);
    if (!given || given.late || (e.chance && given.choice === e.answer))
      return [make('p', {class: 'feedback'}, view.text('revealed', right, because))];
    if (given.choice === e.answer)
      return [make('p', {class: 'feedback good'}, view.text('right', right, because))];
    const mistake = text(e.mistakes[given.choice]);
    return [make('p', {class: e.chance ? 'feedback' : 'feedback bad'}, view.text(e.chance ? 'thisTime' : 'wrong', text(e.choices[given.choice]), right, because)),
      ...(mistake ? [make('p', {class: 'feedback'}, mistake)] : [])];
  },

  choices(k) {
    const e = this.entries[k], given = this.given.get(k), open = this.isOpen(k);
    return make('ol', {class: 'choices'}, ...e.choices.map((choice, i) => {
      const button = make('button', {type: 'button', class: 'choice'}, make('kbd', {}, String(i + 1)), ' ', choice[view.lang]);
      button.dataset.choice = i;
      button.disabled = !open;
      if (!open && i === e.answer)
        button.append(make('span', {class: 'mark', title: view.text('correct')}, ' ✓'), make('span', {class: 'unseen'}, view.text('correct')));
      if (given && given.choice === i)
        button.append(make('span', {class: 'mark', title: view.text('chose')}, i === e.answer ? '' : ' ✗'), make('span', {class: 'unseen'}, view.text('chose')));
      button.classList.toggle('good', !open && i === e.answer && !e.chance);
      button.classList.toggle('bad', Boolean(given) && given.choice === i && i !== e.answer && !e.chance);
      return make('li', {}, button);
    }));
  },

  cover(k) {
    const hidden = this.isOpen(k) ? this.entries[k].hide : [];
    for (const pane of document.querySelectorAll('[data-pane]')) {
      const covers = hidden.includes(pane.dataset.pane) || (pane.dataset.pane === 'processors' && hidden.includes('global_queue'));
      pane.classList.toggle('covered', covers);
      pane.inert = covers;
      pane.dataset.cover = view.text('hidden');
    }
  },

  show() {
    const k = this.now(), e = this.entries[k], [right, asked] = this.score();
    if (!this.entries.length)
      return;
    by('lesson').hidden = false;
    const key = JSON.stringify([k, this.given.get(k), e && e.choices ? this.decided(e) : 0, view.lang, right, view.at === run.n]);
    if (key === this.shown)
      return;
    this.shown = key;
    this.cover(k);
    by('lesson-number').textContent = [view.text('ofEntries', Math.max(0, k + 1), this.entries.length), ...(asked ? [view.text('score', right, asked)] : [])].join(' · ');
    by('lesson-text').replaceChildren(...this.texts(k));
  },

  texts(k) {
    const e = this.entries[k], children = [], more = view.at < run.n;
    if (e && e.say)
      children.push(make('p', {class: 'say'}, e.say[view.lang]));
    if (e && e.choices) {
      children.push(make('p', {class: 'question'}, e.question ? e.question[view.lang] : ''), this.choices(k));
      if (!this.isOpen(k))
        children.push(...this.feedback(k));
      if (this.given.has(k) && e.shown > e.at && !this.decided(e))
        children.push(make('p', {class: 'hint'}, view.text('watch')));
    }
    const [right, asked] = this.score();
    if (!more && asked)
      children.push(make('p', {class: 'card'}, view.text('finished', right, asked)));
    if (more && !this.isOpen(k))
      children.push(make('button', {type: 'button', class: 'go main'}, view.text('continues')));
    return children;
  },
};

/* ---- search ---- */

let sought = '';

function searchFor(way) {
  const word = sought.toLowerCase();
  player.pause();
  if (!word) {
    openSearch();
    return;
  }
  for (let i = player.at + way; i > 0 && i <= run.n; i += way)
    if (run.sentence(i, view.lang).toLowerCase().includes(word) || run.line(i).toLowerCase().includes(word)) {
      player.go(i);
      return;
    }
  by('said').textContent = view.text('notFound', sought);
}

function openSearch() {
  by('search').showModal();
  by('search-text').select();
}

function openHelp() {
  by('keys-list').replaceChildren(...KEYS.flatMap(([, shown, , text]) => [make('dt', {}, make('kbd', {}, shown)), make('dd', {}, text[view.lang])]));
  by('keys').showModal();
}

/* ---- keys and buttons ---- */

const SAME = {ArrowRight: 's', ArrowLeft: 'b', Home: 'g', End: 'G', '=': '+'};

function onKey(event) {
  const target = event.target, typed = /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName);
  if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector('dialog[open]'))
    return;
  if (typed && (event.key.length > 1 || target.type === 'search'))
    return;
  if (/^(BUTTON|A)$/.test(target.tagName) && (event.key === ' ' || event.key === 'Enter'))
    return;
  const key = SAME[event.key] || event.key, row = KEYS.find(k => k[0] === key);
  if (/^[1-9]$/.test(key))
    lesson.answer(Number(key) - 1);
  else if (row && row[2])
    row[2]();
  else
    return;
  event.preventDefault();
}

function onClick(event) {
  const at = event.target.closest('button');
  if (!at)
    return;
  if (at.dataset.g)
    view.select(Number(at.dataset.g));
  else if (at.dataset.event)
    player.pause(), player.go(Number(at.dataset.event));
  else if (at.dataset.choice)
    lesson.answer(Number(at.dataset.choice));
  else if (at.classList.contains('go'))
    player.play();
}

function start() {
  const buttons = {
    first: () => { player.pause(); player.go(0); },
    back: () => player.step(-1),
    play: () => player.toggle(),
    step: () => player.step(1),
    last: () => { player.pause(); player.go(run.n); },
    language: () => view.setLanguage(1 - view.lang),
    theme: () => view.setTheme(!view.dark),
    help: openHelp,
    'keys-close': () => by('keys').close(),
  };
  for (const [id, act] of Object.entries(buttons))
    by(id).addEventListener('click', act);
  by('slider').max = run.n;
  by('slider').addEventListener('input', () => { player.pause(); player.go(Number(by('slider').value)); });
  by('tempo').addEventListener('change', () => { player.rate = Number(by('tempo').value); });
  by('search').addEventListener('close', () => { sought = by('search-text').value; if (sought) searchFor(1); });
  by('timeline').addEventListener('click', event => { player.pause(); timeline.seek(event); });
  document.addEventListener('click', onClick);
  document.addEventListener('keydown', onKey);
  addEventListener('resize', () => view.show(view.at, false));
  const entry = lesson.entries.find(e => e.stops) || lesson.entries[0];
  const opens = /^#\d+$/.test(location.hash) ? run.find(Number(location.hash.slice(1))) : entry ? run.find(entry.at) : 0;
  view.setLanguage(view.lang);
  player.label();
  player.go(opens, false);
  addEventListener('hashchange', () => { if (/^#\d+$/.test(location.hash)) player.go(run.find(Number(location.hash.slice(1)))); });
}

start();
