import { signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';

export interface KeyBinding {
  readonly key: string;
  readonly about: string;
  run(): void;
}

/** The bindings of the mounted views, newest last. */
const boundKeys = signal<readonly (readonly KeyBinding[])[]>([]);
export const isHelpOpen = signal(false);

export const bindings = (): readonly KeyBinding[] => [...new Map(boundKeys.value.flat().map((binding) => [binding.key, binding])).values()];

/** Binds keys while a view is mounted. In a layout effect, because the next key may come before the next frame. */
export function useKeys(keys: readonly KeyBinding[]): void {
  useLayoutEffect(() => {
    boundKeys.value = [...boundKeys.peek(), keys];
    return () => void (boundKeys.value = boundKeys.peek().filter((others) => others !== keys));
  });
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

export function listenForKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.key === 'Escape' && event.target instanceof HTMLElement && isTyping(event.target)) return event.target.blur();
    if (isTyping(event.target) || document.querySelector('dialog[open]')) return;
    // Enter and the space bar press the button that has the focus.
    if ((event.key === 'Enter' || event.key === ' ') && event.target instanceof HTMLElement && /^(?:BUTTON|A|SUMMARY)$/.test(event.target.tagName)) return;
    const binding = bindings().find(({ key }) => key === event.key);
    if (!binding) return;
    event.preventDefault();
    binding.run();
  });
}
