import { h } from './dom.ts';

/** A text and a button. What is written stays until it was sent. */

interface Writing {
  label: string;
  hint?: string;
  submit: string;
  /** True when it arrived. */
  send(text: string): Promise<boolean>;
  sent(): unknown;
}

let forms = 0;

export function writingForm({ label, hint, submit, send, sent }: Writing): {
  element: HTMLElement;
  focus(): void;
} {
  const id = `text-${++forms}`;
  const input = h('textarea', {
    id,
    rows: 3,
    required: true,
    'aria-describedby': hint ? `${id}-hint` : undefined,
    onkeydown: (event: KeyboardEvent) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) element.requestSubmit();
    },
  });
  const press = h('button', { type: 'submit', title: 'Ctrl and Enter' }, submit);
  const element = h(
    'form',
    {
      class: 'writing',
      onsubmit: async (event: Event) => {
        event.preventDefault();
        const text = input.value;
        if (text.trim() === '' || press.disabled) return;
        press.disabled = true;
        const arrived = await send(text);
        press.disabled = false;
        if (!arrived) return;
        if (input.value === text) input.value = '';
        sent();
      },
    },
    h('label', { for: id }, label),
    input,
    hint && h('p', { id: `${id}-hint`, class: 'quiet' }, hint),
    h('p', {}, press),
  );
  return { element, focus: () => input.focus() };
}
