import { signal } from '@preact/signals';
import { Refusal } from './refusal.ts';

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly hint?: string;
  readonly isError: boolean;
  readonly undo?: () => void;
}

export const toasts = signal<readonly Toast[]>([]);
const TOAST_MS = 8_000;
let lastToast = 0;

export function say(text: string, more: Partial<Omit<Toast, 'id' | 'text'>> = {}): void {
  const toast: Toast = { id: (lastToast += 1), text, isError: false, ...more };
  toasts.value = [...toasts.value.slice(-2), toast];
  setTimeout(() => (toasts.value = toasts.value.filter(({ id }) => id !== toast.id)), TOAST_MS);
}

export const complain = (cause: unknown): void =>
  say(cause instanceof Refusal ? cause.message : 'Something went wrong.', {
    isError: true,
    ...(cause instanceof Refusal && cause.answer.hint !== undefined && { hint: cause.answer.hint }),
  });
