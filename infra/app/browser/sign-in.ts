import { h } from './dom.ts';

/** Asks for a key. `reason` says why another one is needed. */
export function signInForm(take: (key: string) => unknown, reason?: string): HTMLElement {
  const input = h('input', {
    id: 'key',
    type: 'password',
    required: true,
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-describedby': 'key-hint',
  });
  return h(
    'div',
    { class: 'sign-in' },
    h('h1', { tabindex: '-1' }, 'Sign in'),
    reason && h('p', { class: 'warning', role: 'alert' }, reason),
    h(
      'form',
      {
        onsubmit: (event: Event) => {
          event.preventDefault();
          const key = input.value.trim();
          if (key) take(key);
        },
      },
      h('label', { for: 'key' }, 'API key or access token of a session'),
      input,
      h('p', {}, h('button', { type: 'submit' }, 'Sign in')),
    ),
    h(
      'p',
      { id: 'key-hint', class: 'quiet' },
      'It stays in this browser, in the local storage of this address under ',
      h('code', {}, 'app_key'),
      ', until you sign out: on a shared computer, sign out. npm start prints the keys of the demo.',
    ),
  );
}
