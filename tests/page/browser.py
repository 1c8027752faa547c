"""Chromium without a window, spoken to through two pipes: nothing but the browser itself is needed."""
import base64, json, os, select, shutil, subprocess, tempfile, time


class Browser:
    def __init__(self):
        self.profile = tempfile.mkdtemp()
        (theirs, self.out), (self.back, ours) = os.pipe(), os.pipe()
        keep = [os.dup2(theirs, 63), os.dup2(ours, 64)]

        def descriptors():
            os.dup2(63, 3)
            os.dup2(64, 4)
        self.process = subprocess.Popen(
            [shutil.which('chromium'), '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--remote-debugging-pipe',
             '--hide-scrollbars', '--lang=en', f'--user-data-dir={self.profile}', 'about:blank'],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=descriptors, close_fds=False)
        for fd in [theirs, ours, *keep]:
            os.close(fd)
        self.id, self.rest, self.events, self.errors, self.requests = 0, b'', [], [], []
        target = next(t for t in self.call('Target.getTargets')['targetInfos'] if t['type'] == 'page')
        self.session = self.call('Target.attachToTarget', targetId=target['targetId'], flatten=True)['sessionId']
        for domain in ['Page', 'Runtime', 'Log', 'Network']:
            self.call(f'{domain}.enable')

    def close(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def message(self, seconds=60):
        until = time.monotonic() + seconds
        while b'\0' not in self.rest:
            if not select.select([self.back], [], [], max(0, until - time.monotonic()))[0]:
                raise TimeoutError('the browser does not answer')
            data = os.read(self.back, 1 << 20)
            if not data:
                raise EOFError('the browser has ended')
            self.rest += data
        text, self.rest = self.rest.split(b'\0', 1)
        return json.loads(text)

    def note(self, message):
        method, of = message.get('method'), message.get('params', {})
        self.events.append(method)
        if method == 'Runtime.exceptionThrown':
            self.errors.append(of['exceptionDetails'].get('exception', {}).get('description') or of['exceptionDetails']['text'])
        elif method == 'Log.entryAdded' and of['entry']['level'] in ('error', 'warning'):
            self.errors.append(of['entry']['text'])
        elif method == 'Runtime.consoleAPICalled' and of['type'] in ('error', 'warning', 'assert'):
            self.errors.append(str(of['args']))
        elif method == 'Network.requestWillBeSent':
            self.requests.append(of['request']['url'])

    def call(self, method, **params):
        self.id += 1
        message = {'id': self.id, 'method': method, 'params': params}
        if getattr(self, 'session', None):
            message['sessionId'] = self.session
        os.write(self.out, json.dumps(message).encode() + b'\0')
        while True:
            answer = self.message()
            if answer.get('id') == self.id:
                if 'error' in answer:
                    raise RuntimeError(f'{method}: {answer["error"]}')
                return answer['result']
            self.note(answer)

    def size(self, width, height):
        self.call('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.call('Emulation.setTouchEmulationEnabled', enabled=width < 600)

    def open(self, path, anchor=''):
        self.call('Page.navigate', url='about:blank')
        self.events.clear()
        self.call('Page.navigate', url='file://' + os.path.abspath(path) + anchor)
        while self.js('document.readyState') != 'complete' or self.js('location.href').startswith('about'):
            time.sleep(0.02)

    def js(self, text):
        answer = self.call('Runtime.evaluate', expression=text, returnByValue=True, awaitPromise=True)
        if 'exceptionDetails' in answer:
            raise RuntimeError(f'{text}: {answer["exceptionDetails"].get("exception", {}).get("description")}')
        return answer['result'].get('value')

    def wait(self, text, seconds=20):
        until = time.monotonic() + seconds
        while not self.js(text):
            if time.monotonic() > until:
                raise TimeoutError(f'this did not become true: {text}')
            time.sleep(0.02)

    def click(self, selector):
        """Clicks the middle of an element as a mouse does, so that an element below another one is not hit."""
        box = self.js(f'(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{block: "center"}}); '
                      'const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2] })()')
        for kind in ['mousePressed', 'mouseReleased']:
            self.call('Input.dispatchMouseEvent', type=kind, x=box[0], y=box[1], button='left', clickCount=1)

    def key(self, key):
        of = {'key': key, 'text': key} if len(key) == 1 else {'key': key}
        self.call('Input.dispatchKeyEvent', type='keyDown', **of)
        self.call('Input.dispatchKeyEvent', type='keyUp', key=key)

    def picture(self, path):
        data = base64.b64decode(self.call('Page.captureScreenshot', format='png')['data'])
        with open(path, 'wb') as f:
            f.write(data)
        return data
