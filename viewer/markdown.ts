import DOMPurify from 'dompurify';
import { Marked } from 'marked';

const escaped = (text: string): string => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** Renders HTML in the text as text, pictures as their description, and check boxes as letters. */
const marked = new Marked({
  gfm: true,
  breaks: true,
  async: false,
  renderer: {
    html: ({ text }) => escaped(text),
    image: ({ text, href }) => escaped(`[picture: ${text === '' ? href : text}]`),
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  },
});

const TAGS = 'a b blockquote br code del em h1 h2 h3 h4 h5 h6 hr i li ol p pre s strong sub sup table tbody td th thead tr ul'.split(' ');

DOMPurify.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName !== 'A') return;
  node.setAttribute('rel', 'noopener noreferrer');
  node.setAttribute('target', '_blank');
});

/** Safe HTML of a memory's Markdown: only the allowed tags, and links to the web. */
export const htmlOf = (markdown: string): string =>
  DOMPurify.sanitize(marked.parse(markdown) as string, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ['href', 'start'],
    ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
  });
