import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../../infra/docs/render.ts';

const pages: Record<string, string> = { 'errors.md': 'errors', 'guides/pagination.md': 'pagination' };
const render = (text: string) =>
  renderMarkdown({ file: 'guides/assistant.md', text, linkTo: (file) => pages[file] });

describe('renderMarkdown', () => {
  it.each([
    ['[a](../errors.md#not_found)', '<a href="errors#not_found">a</a>'],
    ['[a](pagination.md)', '<a href="pagination">a</a>'],
    ['[a](#here)', '<a href="#here">a</a>'],
    ['[a](https://curl.se/?a=1&b=2)', '<a href="https://curl.se/?a=1&amp;b=2">a</a>'],
    ['# Who may _ask_?', '<h1 id="who-may-ask"><a href="#who-may-ask">Who may <em>ask</em>?</a></h1>'],
    ['## tag_name_taken', '<h2 id="tag_name_taken"><a href="#tag_name_taken">tag_name_taken</a></h2>'],
    [
      '```\ncurl http://127.0.0.1:3000/a?b&c\n```',
      '<code>curl <span data-base>http://127.0.0.1:3000</span>/a?b&amp;c</code>',
    ],
    [
      '| A | |\n|---|---|\n| `b` | c |',
      '<thead><tr><th>A</th><th></th></tr></thead><tbody><tr><td><code>b</code></td><td>c</td></tr></tbody>',
    ],
    ['| | |\n|---|---|\n| b | c |', '<table><tbody><tr><td>b</td><td>c</td></tr></tbody></table>'],
  ])('%s', (text, html) => {
    expect(render(text)).toContain(html);
  });

  it.each(['[a](../operations.md)', '[a](nowhere.md#b)'])('refuses %s, which would lead nowhere', (text) => {
    expect(() => render(text)).toThrow(/is no page/);
  });
});
