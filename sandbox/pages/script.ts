// The browser script of the front page. It calls the control API and refreshes the page, and keeps the scroll position, the focus and
// the form input.

export const SCRIPT = `
  const say = (id, message) => { document.getElementById(id).textContent = message; };

  async function refresh() {
    const page = new DOMParser().parseFromString(await (await fetch('/')).text(), 'text/html');
    const open = [...document.querySelectorAll('#live details')].map((it) => it.open);
    const scrolled = [...document.querySelectorAll('#live .scroll')].map((it) => it.scrollLeft);
    document.getElementById('live').replaceChildren(...page.getElementById('live').childNodes);
    if (document.querySelectorAll('#live details').length === open.length)
      document.querySelectorAll('#live details').forEach((it, index) => { it.open = open[index]; });
    document.querySelectorAll('#live .scroll').forEach((it, index) => { it.scrollLeft = scrolled[index] ?? 0; });
  }

  const sameButton = (label) => [...document.querySelectorAll('button')].find((it) => it.ariaLabel === label);

  async function send(button, method, path, body, message) {
    button.disabled = true;
    say('problem', '');
    say('status', 'Working …');
    const { ariaLabel: label } = button;
    const section = button.closest('section')?.querySelector('h2')?.id;
    try {
      const answer = await fetch(path, { method, headers: { 'content-type': 'application/json' }, body });
      if (!answer.ok) {
        const { errors } = await answer.json();
        throw new Error(typeof errors === 'string' ? errors : errors.map(({ detail }) => detail).join('; '));
      }
      await refresh();
      say('status', 'Done: ' + message);
      (sameButton(label) ?? document.getElementById(section))?.focus({ preventScroll: true });
      return true;
    } catch (error) {
      say('status', '');
      say('problem', 'Request failed: ' + error.message);
      return false;
    } finally {
      button.disabled = false;
    }
  }

  document.addEventListener('click', (event) => {
    const button = event.target.closest('button[data-path]');
    if (!button) return;
    const { method, path, body } = button.dataset;
    send(button, method, path, body, button.ariaLabel);
  });
  document.getElementById('refresh').addEventListener('click', async () => {
    await refresh();
    say('status', 'Page refreshed.');
  });

  const form = document.getElementById('fault-form');
  const defaults = JSON.parse(form.dataset.defaults);

  function showFittingActions() {
    const place = form.elements.on.value;
    const kind = ['token', 'webhook'].includes(place) ? place : 'call';
    for (const group of form.querySelectorAll('optgroup')) {
      const fits = group.dataset.fits.split(' ').includes(kind);
      group.hidden = group.disabled = !fits;
    }
    if (form.elements.do.selectedOptions[0].parentElement.disabled)
      form.elements.do.value = form.querySelector('optgroup:not([disabled]) option').value;
    showParameters();
  }

  function showParameters() {
    const inputs = Object.entries(defaults[form.elements.do.value]).map(([name, value]) => {
      const label = document.createElement('label');
      const input = Object.assign(document.createElement('input'), { name: 'parameter', value: value ?? '' });
      input.dataset.name = name;
      if (typeof value === 'string') input.required = true;
      else Object.assign(input, { type: 'number', step: 1, placeholder: 'none' });
      label.append(name.replaceAll('_', ' ') + ' ', input);
      return label;
    });
    document.getElementById('parameters').replaceChildren(...inputs);
  }

  const valueOf = (input) => input.value === '' ? null : input.type === 'number' ? Number(input.value) : input.value;

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const { on, do: action, share, times, resource_uid } = form.elements;
    const parameters = [...form.querySelectorAll('[name=parameter]')].map((it) => [it.dataset.name, valueOf(it)]);
    const rule = { on: on.value, do: action.value, share: Number(share.value) / 100, ...Object.fromEntries(parameters) };
    if (times.value !== '') rule.times = Number(times.value);
    if (resource_uid.value !== '') rule.resource_uid = resource_uid.value;
    const message = action.value + ' added for ' + on.selectedOptions[0].text;
    await send(event.submitter, 'POST', '/_control/faults', JSON.stringify(rule), message);
  });
  form.elements.on.addEventListener('change', showFittingActions);
  form.elements.do.addEventListener('change', showParameters);
  showFittingActions();

  document.getElementById('seed-form').addEventListener('submit', async (event) => {
    event.preventDefault();
    const seed = event.target.elements.seed.value;
    await send(event.submitter, 'PUT', '/_control/seed', JSON.stringify({ seed }), 'seed set to ' + seed);
  });
`;
