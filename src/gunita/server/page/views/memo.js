/** Draws a component anew only when what it is given has changed. */
import { Component, h } from "preact";

/**
 * @template {Record<string, unknown>} Props
 * @param {(props: Props) => any} view
 * @returns {(props: Props) => any}
 */
export function memo(view) {
  class Memo extends Component {
    /** @param {Record<string, unknown>} next */
    shouldComponentUpdate(next) {
      const known = /** @type {Record<string, unknown>} */ (this.props);
      return Object.keys({ ...known, ...next }).some((name) => name !== "children" && known[name] !== next[name]);
    }

    render() {
      return h(/** @type {any} */ (view), this.props);
    }
  }
  return /** @type {any} */ (Memo);
}
