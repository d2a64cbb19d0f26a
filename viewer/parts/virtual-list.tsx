import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useReducer, useRef } from 'preact/hooks';

interface ListProps {
  readonly count: number;
  /** An estimate of a row's height, which is then measured. */
  readonly height: number;
  readonly label: string;
  /** The row chosen with the keys. */
  readonly chosen?: number;
  readonly row: (index: number) => ComponentChildren;
  /** Called with the rows on the screen. */
  readonly onRange?: (from: number, to: number) => void;
}

/** A list that draws only the rows on the screen. */
export function VirtualList({ count, height, label, chosen, row, onRange }: ListProps) {
  const [, redraw] = useReducer((turn: number) => turn + 1, 0);
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useRef<Virtualizer<HTMLDivElement, HTMLDivElement> | null>(null);
  virtualizer.current ??= new Virtualizer<HTMLDivElement, HTMLDivElement>({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 8,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => redraw(undefined),
  });
  const list = virtualizer.current;
  list.setOptions({ ...list.options, count });
  useLayoutEffect(() => list._didMount(), []);
  useLayoutEffect(() => list._willUpdate());
  useEffect(() => {
    if (chosen !== undefined && chosen >= 0 && chosen < count) list.scrollToIndex(chosen, { align: 'auto' });
  }, [chosen]);
  const items = list.getVirtualItems();
  const [from, to] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  useEffect(() => onRange?.(from, to), [from, to, count]);
  return (
    <div class="scroller" ref={scroller} tabIndex={0} role="list" aria-label={label}>
      <div class="tall" style={{ height: `${list.getTotalSize()}px` }}>
        {items.map(({ index, key, start }) => (
          <div
            key={key as number}
            class="slot"
            role="listitem"
            data-index={index}
            ref={(node) => list.measureElement(node)}
            style={{ transform: `translateY(${start}px)` }}
          >
            {row(index)}
          </div>
        ))}
      </div>
    </div>
  );
}
